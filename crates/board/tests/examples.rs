//! The examples run, and what they assert holds.

#[path = "../examples/game.rs"]
mod game;
#[path = "../examples/moves.rs"]
mod moves;
#[path = "../examples/perft.rs"]
mod perft;
#[path = "../examples/playout.rs"]
mod playout;
#[path = "../examples/symmetry.rs"]
mod symmetry;

#[test]
fn every_example_holds() {
    moves::main();
    game::main();
    symmetry::main();
    playout::main();
    perft::main();
}
