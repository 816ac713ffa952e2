//! The examples run, and what they assert holds.

#[path = "../examples/all_models.rs"]
mod all_models;
#[path = "../examples/first_fit.rs"]
mod first_fit;
#[path = "../examples/games_as_groups.rs"]
mod games_as_groups;
#[path = "../examples/held_out.rs"]
mod held_out;
#[path = "../examples/own_source.rs"]
mod own_source;

#[test]
fn every_example_holds() {
    first_fit::main();
    all_models::main();
    games_as_groups::main();
    held_out::main();
    own_source::main();
}
