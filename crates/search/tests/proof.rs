//! What an interrupted proof knows, and what is heard of it on the way.

use std::time::Duration;

use discern_board::testing::random_boards_with_empties;
use discern_board::{Board, Move};
use discern_eval::Rev;
use discern_search::{Limits, Options, Proof, Report, Searcher, StopFlag};

fn searcher(threads: usize) -> Searcher<Rev> {
    Searcher::new(Rev::default(), Options { threads, table_mebibytes: 16 }).unwrap()
}

/// The exact score of every move.
fn scores(searcher: &mut Searcher<Rev>, board: &Board) -> Vec<(Move, i32)> {
    searcher.forget();
    let limits = Limits { lines: 64, ..Limits::SOLVE };
    let report = searcher.search(board, &limits, &StopFlag::new(), |_| {});
    report.lines.iter().map(|line| (line.mv, line.score().unwrap().discs())).collect()
}

/// Checks that bounds are right, and returns how many discs they leave open.
#[track_caller]
fn open_discs(proof: &Proof, scores: &[(Move, i32)]) -> i32 {
    assert_eq!(proof.moves.len(), scores.len());
    for &(mv, score) in scores {
        let bounds = proof.bounds_of(mv);
        let range = bounds.lower.discs()..=bounds.upper.discs();
        assert!(range.contains(&score), "{mv}: {score} is not in {range:?}");
    }
    let best = scores.iter().map(|&(_, score)| score).max().unwrap();
    let bounds = proof.bounds();
    let range = bounds.lower.discs()..=bounds.upper.discs();
    assert!(range.contains(&best), "{best} is not in {range:?}");
    range.end() - range.start()
}

fn unfinished(seed: u64, empties: u32, count: usize) -> impl Iterator<Item = Board> {
    random_boards_with_empties(seed, empties, 4 * count)
        .filter(|board| !board.is_over())
        .take(count)
}

#[test]
fn bounds_of_an_interrupted_proof_hold_and_narrow() {
    let (mut exact, mut narrowed) = (searcher(1), 0);
    for threads in [1, 2] {
        let mut searcher = searcher(threads);
        for board in unfinished(21, 16, 8) {
            let scores = scores(&mut exact, &board);
            let mut open = Vec::new();
            for nodes in [20_000, 60_000, 200_000, u64::MAX] {
                searcher.forget();
                let limits = Limits { nodes: Some(nodes), insist: true, ..Limits::SOLVE };
                let report = searcher.search(&board, &limits, &StopFlag::new(), |_| {});
                let Some(proof) = &report.proof else { continue };
                open.push(open_discs(proof, &scores));
                assert_eq!(report.best().unwrap().is_proven(), open.last() == Some(&0));
            }
            assert_eq!(open.last(), Some(&0));
            narrowed += u32::from(open.iter().any(|open| (1..128).contains(open)));
        }
    }
    assert!(narrowed >= 4, "only {narrowed} proofs were seen half done");
}

#[test]
fn the_bounds_of_a_forced_pass_are_those_of_its_reply() {
    let mut searcher = searcher(1);
    let passes = random_boards_with_empties(5, 15, 60_000).filter(Board::must_pass);
    let mut seen = 0;
    for board in passes.take(6) {
        searcher.forget();
        let reply = searcher.search(&board.pass(), &Limits::SOLVE, &StopFlag::new(), |_| {});
        let score = -reply.best().unwrap().score().unwrap();
        searcher.forget();
        let limits = Limits { nodes: Some(30_000), insist: true, ..Limits::SOLVE };
        let report = searcher.search(&board, &limits, &StopFlag::new(), |_| {});
        let Some(proof) = &report.proof else { continue };
        assert_eq!(proof.moves.len(), 1);
        assert_eq!(proof.moves[0].0, Move::Pass);
        open_discs(proof, &[(Move::Pass, score.discs())]);
        seen += 1;
    }
    assert!(seen > 2, "only {seen} passes");
}

#[test]
fn a_long_proof_is_heard_of() {
    for threads in [1, 2] {
        let mut searcher = searcher(threads);
        let mut heard: Vec<Report> = Vec::new();
        for board in unfinished(22, 17, 3) {
            let scores = scores(&mut searcher, &board);
            searcher.forget();
            heard.clear();
            let limits = Limits { tick: Some(Duration::from_micros(200)), ..Limits::SOLVE };
            searcher.search(&board, &limits, &StopFlag::new(), |report| heard.push(report.clone()));
            assert!(heard.is_sorted_by_key(|report| report.nodes));
            let proofs: Vec<&Proof> = heard.iter().filter_map(|r| r.proof.as_ref()).collect();
            assert!(proofs.len() > 3, "{} reports", proofs.len());
            for proof in proofs {
                open_discs(proof, &scores);
                assert_eq!(proof.depth, board.empties());
            }
        }
        assert!(heard.iter().any(|report| report.proof.as_ref().is_some_and(|p| p.selective)));
    }
}

#[test]
fn only_who_insists_begins_what_time_does_not_allow() {
    let mut searcher = searcher(1);
    for board in unfinished(23, 18, 3) {
        let limits = Limits { nodes: Some(100_000), ..Limits::SOLVE };
        let report = searcher.search(&board, &limits, &StopFlag::new(), |_| {});
        assert!(report.proof.is_none());
        let limits = Limits { insist: true, ..limits };
        let report = searcher.search(&board, &limits, &StopFlag::new(), |_| {});
        assert!(report.proof.is_some());
    }
}
