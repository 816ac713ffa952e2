//! Values of the graph are those of NegaMax, whatever the order of insertion.

use std::collections::HashMap;

use crate::common::{graph_of, opinion, random_entries};
use discern_board::testing::Seeded;
use discern_board::{Bitboard, Board, Outcome};
use discern_book::{Draws, Entry, Grade, Manifest, Step, Worth, merged, step, to_bytes};
use proptest::prelude::*;

/// Plain NegaMax from the definition: slow, recursive, nothing remembered.
/// `draws` is what a draw counts for the mover here.
fn negamax(entries: &HashMap<Board, Entry>, board: &Board, draws: Draws) -> Option<Worth> {
    let other = match draws {
        Draws::Even => Draws::Even,
        Draws::Seek => Draws::Avoid,
        Draws::Avoid => Draws::Seek,
    };
    let mut best: Option<Worth> = None;
    for square in board.moves().squares() {
        let Step::Position { board: next, same_side } = step(board, square) else { continue };
        let known = entries.contains_key(&next);
        let value = match (known, same_side) {
            (false, _) => None,
            (true, true) => negamax(entries, &next, draws),
            (true, false) => negamax(entries, &next, other).map(|worth| -worth),
        };
        best = best.max(value);
    }
    // The deviation counts unless it has been examined.
    if let Some(deviation) = entries[board].deviation {
        let examined = match step(board, deviation.square) {
            Step::Position { board, .. } => entries.contains_key(&board),
            Step::Over(_) => false,
        };
        if !examined {
            best = best.max(Some(deviation.worth.counting(draws)));
        }
    }
    best
}

#[test]
fn values_are_those_of_plain_negamax() {
    for seed in 0..6 {
        let entries = random_entries(seed, 12);
        let graph = graph_of(&entries);
        let map: HashMap<Board, Entry> = entries.iter().map(|e| (e.board, *e)).collect();
        let mut draws_matter = 0;
        for entry in &entries {
            let worths = graph.get(&entry.board).unwrap().worths();
            for draws in [Draws::Even, Draws::Seek, Draws::Avoid] {
                let found = worths.map(|worths| worths.with(draws));
                assert_eq!(found, negamax(&map, &entry.board, draws), "{:?}", entry.board);
            }
            draws_matter += u32::from(worths.is_some_and(|w| w.seek != w.avoid));
        }
        assert!(draws_matter > 0, "the test has no draws");
    }
}

/// Nobody can do better, whatever the unexamined moves are worth.
#[test]
fn proven_values_are_proofs() {
    let entries = random_entries(77, 25);
    let graph = graph_of(&entries);
    let mut proven = 0;
    for node in graph.nodes().filter(|node| node.grade().is_proven()) {
        let outcome = node.worths().unwrap().even.outcome().expect("proven");
        let moves = graph.moves(node);
        match outcome {
            Outcome::Win => assert!(moves.iter().any(|mv| mv.grade.is_proven())),
            _ => assert!(!node.wants_deviation() && moves.iter().all(|mv| mv.grade.is_proven())),
        }
        proven += 1;
    }
    assert!(proven > 10 && proven < graph.len());
}

#[test]
fn the_depth_is_that_of_the_best_line() {
    let start = Entry {
        deviation: opinion(&Board::START.canonical(), Bitboard::EMPTY),
        ..Entry::new(Board::START)
    };
    let graph = graph_of(&[start]);
    let node = graph.get(&Board::START).unwrap();
    assert_eq!(node.grade(), node.entry().deviation.unwrap().grade);
    let Step::Position { board, .. } = step(&Board::START, discern_board::Square::F5) else {
        panic!()
    };
    let next = Entry {
        deviation: Some(discern_book::Deviation {
            square: board.moves().first().unwrap(),
            worth: Worth::estimate(-70),
            grade: Grade::Depth(9),
        }),
        ..Entry::new(board)
    };
    let graph = graph_of(&[start, next]);
    let node = graph.get(&Board::START).unwrap();
    // The only move is examined now, so the old deviation is gone.
    assert_eq!(node.entry().deviation, None);
    assert!(!node.wants_deviation());
    assert_eq!(node.grade(), Grade::Depth(10));
    assert_eq!(node.worths().unwrap().even, Worth::estimate(70));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_insertion_does_not_show(seed in 0u64..1000, order in any::<u64>()) {
        let mut entries = random_entries(seed, 6);
        let first = to_bytes(&graph_of(&entries), &Manifest::new());
        let mut dice = Seeded::new(order);
        for place in (1..entries.len()).rev() {
            entries.swap(place, dice.below(place + 1));
        }
        let mut graph = discern_book::Graph::new();
        for (number, &entry) in entries.iter().enumerate() {
            graph.put(entry);
            // Values in between must not matter either.
            if number % 7 == 0 {
                graph.settle();
            }
        }
        graph.settle();
        prop_assert_eq!(&to_bytes(&graph, &Manifest::new()), &first);
    }

    #[test]
    fn merging_is_the_same_from_both_sides(a in 0u64..500, b in 0u64..500) {
        let (one, two) = (graph_of(&random_entries(a, 4)), graph_of(&random_entries(b, 4)));
        let merge = |first: &discern_book::Graph, second: &discern_book::Graph| {
            let entries: Vec<Entry> = first.nodes().map(|node| *node.entry()).collect();
            let mut graph = graph_of(&entries);
            let (more, report) = merged(&graph, second);
            more.into_iter().for_each(|entry| assert!(graph.put(entry)));
            graph.settle();
            assert_eq!(graph.len(), first.len() + report.added);
            to_bytes(&graph, &Manifest::new())
        };
        prop_assert_eq!(merge(&one, &two), merge(&two, &one));
    }
}
