//! The second program's search: right where it proves, lawful everywhere, the
//! same every time.

use std::time::Duration;

use discern_board::testing::random_boards_with_empties;
use discern_board::{Bitboard, Board, Move};
use discern_eval::Rev;
use discern_search::{
    Certainty, Engine, Limits, MoveTime, Options, PlainSearcher, Report, Searcher, StopFlag,
};

fn plain(board: &Board, limits: &Limits) -> Report {
    PlainSearcher::new(Rev::default()).search(board, limits, &StopFlag::new(), &mut |_| {})
}

fn usual(board: &Board, limits: &Limits) -> Report {
    let options = Options { threads: 1, table_mebibytes: 1 };
    let mut searcher = Searcher::new(Rev::default(), options).unwrap();
    searcher.search(board, limits, &StopFlag::new(), |_| {})
}

#[test]
fn both_programs_prove_the_same_outcomes_and_scores() {
    for empties in [1, 2, 5, 9, 12, 13] {
        for board in random_boards_with_empties(7 + u64::from(empties), empties, 8) {
            let outcome = Limits::SOLVE_OUTCOME;
            for limits in [Limits { score_empties: 0, ..outcome }, Limits::SOLVE] {
                let (a, b) = (plain(&board, &limits), usual(&board, &limits));
                let known = |report: &Report| {
                    report.best().map(|line| (line.certainty, line.value, line.outcome()))
                };
                assert_eq!(known(&a), known(&b), "{board:?}");
                // Its move keeps what is proven, though it may be another one.
                if let Some(line) = a.best() {
                    let next = board.play(line.mv).unwrap();
                    let reply = usual(&next, &limits);
                    let lost = reply.best().map_or(-next.final_score().discs(), |reply| {
                        -reply.value.proven_score().map_or(0, |score| score.discs())
                    });
                    let kept = line.value.proven_score().map_or(0, |score| score.discs());
                    assert_eq!(lost.signum(), kept.signum(), "{board:?}");
                }
            }
        }
    }
}

#[test]
fn the_same_position_gives_the_same_report_every_time() {
    for board in random_boards_with_empties(3, 40, 5) {
        let limits = Limits { lines: 3, ..Limits::depth(4) };
        let of = |report: Report| (report.lines, report.nodes);
        let first = of(plain(&board, &limits));
        assert_eq!(first, of(plain(&board, &limits)));
        let (lines, nodes) = first;
        assert!(nodes > 0 && lines.len() <= 3);
        assert!(lines.windows(2).all(|pair| pair[0].value >= pair[1].value), "{lines:?}");
    }
}

#[test]
fn further_lines_do_not_change_the_first_and_the_one_beside_has_its_own_value() {
    for board in random_boards_with_empties(5, 36, 8) {
        let one = plain(&board, &Limits::depth(3));
        let moves: Vec<Move> = match board.must_pass() {
            true => continue,
            false => board.moves().squares().map(Move::from).collect(),
        };
        let all = plain(&board, &Limits { lines: moves.len(), ..Limits::depth(3) });
        assert_eq!(one.best().unwrap().value, all.best().unwrap().value);
        assert_eq!(all.lines.len(), moves.len());
        for line in &all.lines {
            let beside = Limits { beside: Some(line.mv), ..Limits::depth(3) };
            let found = plain(&board, &beside);
            let found = found.lines.iter().find(|found| found.mv == line.mv).unwrap();
            assert_eq!(found.value, line.value, "{board:?}");
            let mut rest = all.lines.iter().filter(|other| other.mv != line.mv);
            let except = Bitboard::of(line.mv.square().unwrap());
            let without = plain(&board, &Limits { except, ..Limits::depth(3) });
            let expected = rest.next().unwrap_or(line);
            assert_eq!(without.best().unwrap().value, expected.value, "{board:?}");
        }
    }
}

#[test]
fn it_is_another_search_than_the_usual_one() {
    let boards: Vec<Board> = random_boards_with_empties(11, 40, 30).collect();
    let differing = boards.iter().filter(|board| {
        let [a, b] = [plain(board, &Limits::depth(4)), usual(board, &Limits::depth(4))];
        a.best().map(|line| line.value) != b.best().map(|line| line.value)
    });
    assert!(differing.count() > 10);
}

#[test]
fn limits_of_nodes_and_time_hold() {
    let limits = Limits { nodes: Some(5000), ..Limits::default() };
    let report = plain(&Board::START, &limits);
    assert!(report.interrupted && report.nodes <= 5000 + 1024, "{}", report.nodes);
    assert!(report.best().unwrap().mv != Move::Pass);
    let time = MoveTime::fixed(Duration::from_millis(20));
    let report = plain(&Board::START, &Limits { time: Some(time), ..Limits::default() });
    assert!(report.time < Duration::from_millis(500), "{:?}", report.time);
    assert!(matches!(report.best().unwrap().certainty, Certainty::Depth(depth) if depth > 1));
}
