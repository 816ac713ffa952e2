//! The studio from outside, over real connections.

mod book;
mod client;
mod experiments;
mod explain;
mod hostile;
mod import;
mod library;
mod load;
mod openapi;
mod page;
mod play;
mod review;
mod rubbish;
mod server;
mod streams;
