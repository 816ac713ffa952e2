//! The tree of games against a slow and plain one, and what must hold of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use discern_board::testing::{Seeded, random_games};
use discern_board::{Board, Color, Game, Move, Outcome, Score, Symmetry};
use discern_learn::{Dispute, GameTree, LabelSource, LabelledPosition, TreeCounts, write_parquet};
use discern_records::{Correction, Ending, Evaluation, GameId, GameRecord, Solved, Verdict};

/// Many games from few late positions: full of transpositions and passes.
fn late_games(seed: u64, starts: usize, games: usize) -> Vec<GameRecord> {
    let mut random = Seeded::new(seed);
    let mut records = Vec::new();
    for source in random_games(seed, starts) {
        let plies = source.plies();
        let Some(start) = plies.iter().find(|ply| ply.before.board.empties() <= 8) else {
            continue;
        };
        for _ in 0..games {
            let mut game = Game::new(start.before);
            while !game.is_over() {
                let moves: Vec<_> = game.position().board.moves().squares().collect();
                let mv = match moves.len() {
                    0 => Move::Pass,
                    count => Move::Place(moves[random.below(count)]),
                };
                game.play(mv).unwrap();
            }
            records.push(GameRecord::new(game));
        }
    }
    records
}

/// The games with everything that may come with games: verdicts, corrections,
/// awarded and missing results.
fn decorated(mut records: Vec<GameRecord>, seed: u64) -> Vec<GameRecord> {
    let mut random = Seeded::new(seed);
    let mut verdicts: HashMap<Board, Verdict> = HashMap::new();
    for (index, record) in records.iter_mut().enumerate() {
        if random.below(6) == 0 {
            while record.game.plies().len() > 3 && random.below(3) > 0 {
                record.game.undo();
            }
            if !record.game.is_over() {
                let endings =
                    [Ending::Unfinished, Ending::Resigned, Ending::Timeout, Ending::Agreed];
                record.ending = endings[random.below(4)];
                let awarded = Score::new(random.below(3) as i32 * 2 - 2);
                record.score_black = awarded.filter(|_| record.ending != Ending::Unfinished);
            }
        }
        for _ in 0..random.below(3) {
            let ply = random.below(record.game.plies().len());
            let board = record.game.boards().nth(ply).unwrap().canonical();
            // Any verdict will do, as long as a position has only one.
            let score = Score::new(random.below(5) as i32 * 2 - 4).unwrap();
            let exact = random.below(2) == 0;
            let verdict = *verdicts.entry(board).or_insert(match exact {
                true => Verdict::Score(score),
                false => Verdict::Outcome(score.outcome()),
            });
            record.solved.push(Solved { ply, verdict });
        }
        record.solved.sort_by_key(|solved| solved.ply);
        record.solved.dedup_by_key(|solved| solved.ply);
        if index % 5 == 4 {
            record.correction = Some(Correction {
                parent: GameId(7),
                ply: 0,
                played: Evaluation::LogOdds(-3000),
                better: Evaluation::LogOdds(3000),
                depth: 9,
            });
        }
    }
    records
}

fn classify<'a>(
    records: impl IntoIterator<Item = &'a GameRecord>,
) -> (Vec<LabelledPosition>, TreeCounts) {
    let mut tree = GameTree::default();
    records.into_iter().for_each(|record| assert_eq!(tree.add(record), None));
    tree.classify()
}

/// Plain minimax over the same lines: maps, recursion, all eight images.
#[derive(Default)]
struct Plain {
    next: BTreeMap<Board, BTreeSet<Board>>,
    verdicts: BTreeMap<Board, Verdict>,
    awarded: BTreeMap<Board, BTreeSet<Outcome>>,
    games: BTreeMap<Board, u32>,
}

impl Plain {
    fn of(records: &[GameRecord]) -> Plain {
        let mut plain = Plain::default();
        let least = |board: Board| Symmetry::ALL.map(|s| s.board(board)).into_iter().min().unwrap();
        for record in records {
            let boards: Vec<Board> = record.game.boards().map(least).collect();
            for board in boards.iter().collect::<BTreeSet<_>>() {
                *plain.games.entry(*board).or_default() += 1;
            }
            for pair in boards.windows(2) {
                plain.next.entry(pair[0]).or_default().insert(pair[1]);
            }
            for solved in &record.solved {
                plain.verdicts.insert(boards[solved.ply], solved.verdict);
            }
            let credible = [Ending::Resigned, Ending::Agreed, Ending::Adjudicated];
            if credible.contains(&record.ending) && !record.game.is_over() {
                let black = record.score_black.unwrap().outcome();
                let mover = record.game.position().mover;
                let outcome = if mover == Color::Black { black } else { -black };
                plain.awarded.entry(*boards.last().unwrap()).or_default().insert(outcome);
            }
        }
        plain
    }

    /// Outcome and score for the mover.
    fn value(&self, board: Board) -> Option<(Outcome, Option<i32>)> {
        if board.is_over() {
            let score = board.final_score();
            return Some((score.outcome(), Some(score.discs())));
        }
        let mut lines: Vec<(Outcome, Option<i32>)> = self
            .awarded
            .get(&board)
            .into_iter()
            .flatten()
            .map(|&outcome| (outcome, None))
            .collect();
        for next in self.next.get(&board).into_iter().flatten() {
            if let Some((outcome, score)) = self.value(*next) {
                lines.push((-outcome, score.map(|score| -score)));
            }
        }
        let verdict = self.verdicts.get(&board);
        let outcome =
            verdict.map(|v| v.outcome()).or_else(|| lines.iter().map(|line| line.0).max())?;
        if let Some(score) = verdict.and_then(|verdict| verdict.score()) {
            return Some((outcome, Some(score.discs())));
        }
        // A verdict below what was played has no line of its own outcome to
        // take a score from, unless one of equal outcome is the best.
        let best = lines.iter().map(|line| line.0).max();
        let fitting: Vec<Option<i32>> = lines
            .iter()
            .filter(|line| Some(line.0) == best && line.0 == outcome)
            .map(|l| l.1)
            .collect();
        let score = match fitting.is_empty() || fitting.contains(&None) {
            true => None,
            false => fitting.into_iter().flatten().max(),
        };
        Some((outcome, score))
    }
}

#[test]
fn labels_are_those_of_a_plain_minimax_draws_and_passes_included() {
    for seed in 1..=6 {
        let mut records = late_games(seed, 6, 60);
        records.extend(random_games(seed, 40).map(GameRecord::new));
        let records = if seed % 2 == 0 { decorated(records, seed) } else { records };
        let plain = Plain::of(&records);
        let (positions, counts) = classify(&records);
        let mut expected = 0;
        let found: HashMap<Board, &LabelledPosition> =
            positions.iter().map(|labelled| (labelled.position.board, labelled)).collect();
        assert_eq!(found.len(), positions.len(), "every position once");
        for (&board, &games) in plain.games.iter().filter(|(board, _)| !board.is_over()) {
            let Some((outcome, score)) = plain.value(board) else {
                assert!(!found.contains_key(&board));
                continue;
            };
            expected += 1;
            let position = found[&board].position;
            assert_eq!(position.outcome, outcome, "{board:?}");
            assert_eq!(position.score.map(Score::discs), score, "{board:?}");
            assert_eq!(position.games, games);
            let solved = plain.verdicts.contains_key(&board);
            assert_eq!(found[&board].source == LabelSource::Solved, solved);
        }
        assert_eq!(positions.len(), expected);
        assert_eq!(counts.all.positions as usize, expected);
        assert_eq!(counts.nodes as usize, plain.games.len());
        assert_eq!(counts.edges as usize, plain.next.values().map(BTreeSet::len).sum::<usize>());
        assert!(counts.all.draws > 0 && counts.transpositions > 0, "{counts:?}");
        let passes = records.iter().flat_map(|r| r.game.moves()).filter(|&mv| mv == Move::Pass);
        assert!(passes.count() > 0);
    }
}

#[test]
fn the_order_of_the_games_does_not_matter() {
    let records = decorated(late_games(11, 5, 40), 11);
    let forwards = classify(&records);
    assert_eq!(classify(records.iter().rev()), forwards);
    let mut order: Vec<usize> = (0..records.len()).collect();
    let mut random = Seeded::new(3);
    (1..order.len()).for_each(|i| order.swap(i, random.below(i + 1)));
    assert_eq!(classify(order.iter().map(|&i| &records[i])), forwards);
}

#[test]
fn a_new_game_changes_only_labels_with_a_path_to_it() {
    let records = decorated(late_games(21, 4, 30), 21);
    let (last, others) = records.split_last().unwrap();
    let mut changed = 0;
    for cut in (0..others.len()).step_by(7) {
        let before = &others[..=cut];
        let (old, _) = classify(before);
        let (new, _) = classify(before.iter().chain([last]));
        // The positions that lead to a position of the new game.
        let plain = Plain::of(&[before, std::slice::from_ref(last)].concat());
        let mut ancestors: BTreeSet<Board> = last.game.boards().map(Board::canonical).collect();
        loop {
            let reaching = plain.next.iter().filter(|(_, next)| !next.is_disjoint(&ancestors));
            let more: Vec<Board> =
                reaching.map(|(&board, _)| board).filter(|b| !ancestors.contains(b)).collect();
            if more.is_empty() {
                break;
            }
            ancestors.extend(more);
        }
        let new: HashMap<Board, LabelledPosition> =
            new.into_iter().map(|labelled| (labelled.position.board, labelled)).collect();
        for labelled in old {
            let board = labelled.position.board;
            let same = new[&board].position.outcome == labelled.position.outcome
                && new[&board].position.score == labelled.position.score;
            changed += usize::from(!same);
            assert!(same || ancestors.contains(&board), "{board:?}");
            assert!(ancestors.contains(&board) || new[&board] == labelled);
        }
    }
    assert!(changed > 0, "the new game changes something");
}

#[test]
fn turned_games_are_the_same_and_symmetric_positions_count_once() {
    let turned = |game: &Game, symmetry: Symmetry| {
        let mut image = Game::new(game.start());
        for mv in game.moves() {
            let mv = mv.square().map_or(Move::Pass, |square| symmetry.square(square).into());
            image.play(mv).unwrap();
        }
        GameRecord::new(image)
    };
    let game = random_games(31, 1).next().unwrap();
    // The four symmetries that keep the start as it is.
    let images: Vec<GameRecord> =
        [Symmetry::Identity, Symmetry::HalfTurn, Symmetry::Transpose, Symmetry::AntiTranspose]
            .map(|symmetry| turned(&game, symmetry))
            .into();
    let (one, _) = classify(&images[..1]);
    let (four, counts) = classify(&images);
    assert_eq!(one.len(), four.len());
    assert!(four.iter().all(|labelled| labelled.position.games == 4));
    assert_eq!((counts.games, counts.groups, counts.transpositions), (4, 1, 0));
    assert_eq!(one[0].position.board, Board::START.canonical());
}

#[test]
fn the_steps_of_figure_3_are_counted() {
    // One game that black wins, and what changes when its 20th ply is solved
    // as a loss for black, and when a corrected game wins from there.
    let game = random_games(41, 50).find(|game| game.score_black() > Some(Score::DRAW)).unwrap();
    let plies = game.plies().len() as u64;
    let mut record = GameRecord::new(game.clone());
    let (_, plain) = classify([&record]);
    assert_eq!((plain.all.positions, plain.all.changed_by_solving), (plies, 0));
    let black_to_move = |ply: usize| game.plies()[ply].before.mover == Color::Black;
    let ply = (20..).find(|&ply| black_to_move(ply)).unwrap();
    record.solved.push(Solved { ply, verdict: Verdict::Outcome(Outcome::Loss) });
    let (positions, solved) = classify([&record]);
    assert_eq!(solved.all.changed_by_solving, ply as u64 + 1);
    assert_eq!((solved.all.changed_by_propagation, solved.all.solved), (0, 1));
    let source = |labelled: &LabelledPosition| (labelled.position.board.discs(), labelled.source);
    let sources: BTreeMap<u32, LabelSource> = positions.iter().map(source).collect();
    assert_eq!(sources[&5], LabelSource::Propagated);
    assert_eq!(sources[&60], LabelSource::Game);

    // Another game leaves the line before the solved position and wins.
    let fork = (0..ply).rev().find(|&ply| black_to_move(ply)).unwrap();
    let wins = (0..).find_map(|seed| {
        let mut random = Seeded::new(seed);
        let mut other = Game::default();
        game.moves().take(fork).for_each(|mv| other.play(mv).unwrap());
        while !other.is_over() {
            let moves: Vec<_> = other.position().board.moves().squares().collect();
            let mv = match moves.len() {
                0 => Move::Pass,
                count => Move::Place(moves[random.below(count)]),
            };
            other.play(mv).unwrap();
        }
        let leaves = other.plies()[fork].mv != game.plies()[fork].mv;
        (leaves && other.score_black() > Some(Score::DRAW)).then_some(other)
    });
    let mut better = GameRecord::new(wins.unwrap());
    better.correction = Some(Correction {
        parent: GameId::of(&game),
        ply: fork,
        played: Evaluation::LogOdds(-3000),
        better: Evaluation::LogOdds(3000),
        depth: 9,
    });
    // What the correction proved on the way belongs to the correction.
    better.solved.push(Solved { ply: fork, verdict: Verdict::Outcome(Outcome::Win) });
    let (_, corrected) = classify([&record, &better]);
    assert_eq!(corrected.corrections, 1);
    assert_eq!(corrected.all.changed_by_solving, ply as u64 + 1);
    assert_eq!(corrected.all.changed_by_correction, fork as u64 + 1);
    let new = better.game.plies().len() - fork - 1;
    assert_eq!(corrected.all.new_by_correction, new as u64);
}

#[test]
fn contradicting_verdicts_are_named_and_prove_nothing() {
    let game = random_games(51, 1).next().unwrap();
    let with = |verdict| {
        let mut record = GameRecord::new(game.clone());
        record.solved.push(Solved { ply: 40, verdict });
        record
    };
    let win = Verdict::Score(Score::new(6).unwrap());
    let loss = Verdict::Outcome(Outcome::Loss);
    let mut tree = GameTree::default();
    assert_eq!(tree.add(&with(Verdict::Outcome(Outcome::Win))), None);
    assert_eq!(tree.add(&with(win)), None);
    let dispute = Dispute { game: GameId::of(&game), ply: 40, verdict: loss };
    assert_eq!(tree.add(&with(loss)), Some(dispute));
    let (positions, counts) = tree.classify();
    assert_eq!((counts.disputed, counts.all.solved), (1, 0));
    let (unsolved, _) = classify([&GameRecord::new(game.clone())]);
    let labels = |positions: &[LabelledPosition]| -> Vec<_> {
        positions
            .iter()
            .map(|labelled| (labelled.position.outcome, labelled.position.score))
            .collect()
    };
    assert_eq!(labels(&positions), labels(&unsolved));
}

#[test]
fn parquet_has_every_position_as_it_is() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    let (positions, _) = classify(&decorated(late_games(61, 3, 30), 61));
    let mut file = tempfile::tempfile().unwrap();
    write_parquet(&mut file, &positions, "how it was made").unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), positions.len());
    let mut unknown = 0;
    for (row, labelled) in rows.iter().zip(&positions) {
        let position = labelled.position;
        let text = format!("{} X", row.get_string(0).unwrap());
        assert_eq!(text.parse::<discern_board::Position>().unwrap().board, position.board);
        assert_eq!(row.get_ulong(1).unwrap(), position.board.mover().0);
        assert_eq!(row.get_ulong(2).unwrap(), position.board.opponent().0);
        assert_eq!(u32::from(row.get_ubyte(3).unwrap()), position.board.discs());
        assert_eq!(f64::from(row.get_byte(4).unwrap()), 2.0 * position.points() - 1.0);
        match position.score {
            Some(score) => assert_eq!(i32::from(row.get_byte(5).unwrap()), score.discs()),
            None => {
                unknown += 1;
                assert!(row.get_byte(5).is_err());
            }
        }
        assert_eq!(row.get_string(6).unwrap(), &labelled.source.to_string());
        assert_eq!(row.get_uint(7).unwrap(), position.games);
        assert_eq!(row.get_long(8).unwrap(), i64::from(position.group));
        assert_eq!(row.get_bool(9).unwrap(), labelled.position.shared);
    }
    assert!(unknown > 0);
    let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
    assert_eq!(metadata[0].value.as_deref(), Some("how it was made"));
}
