//! Decodes the committed sample of the archive by hand, from what
//! `docs/formats.md` says and nothing else: if this fails, files that are
//! already out there can no longer be read, and the version must change.

use discern_board::{Board, Game, Move, Score, Square};
use discern_records::archive::{ArchiveReader, ArchiveWriter, testing};
use discern_records::{
    Clock, Correction, Ending, Evaluation, GameId, GameRecord, Limits, MoveNote, Player, Solved,
    Source, Verdict,
};

/// The three games, without a plan.
const SAMPLE: &[u8] = include_bytes!("data/sample.games");

const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";
const BLOCKED: &str = "OX-------------------------------------------------------------- X";

/// The three games of the sample.
fn records() -> [GameRecord; 3] {
    let mut stopped = GameRecord::new("f5d6c3".parse().unwrap());
    stopped.players.black = Player { limits: Limits::depth(6), ..Player::named("Ada") };
    stopped.players.white = Player::named("Bo");
    stopped.players.white.limits.clock = Some(Clock { main_ms: 300, increment_ms: 2, grace_ms: 0 });
    stopped.opening = 2;
    stopped.ending = Ending::Timeout;
    stopped.score_black = Some(Score::MIN);

    let mut played = GameRecord::new(WIPE_OUT.parse().unwrap());
    played.players.black = Player::named("Bo");
    played.source = Some(Source { plan: "p".into(), shard: 1, game: 2 });
    played.solved = vec![Solved { ply: 8, verdict: Verdict::Score(Score::MAX) }];

    let mut start = Game::new(BLOCKED.parse().unwrap());
    start.play(Move::Pass).unwrap();
    start.play(Square::C1.into()).unwrap();
    let mut corrected = GameRecord::new(start);
    corrected.players.white = Player { rating_centi: Some(-1), ..Player::named("Ada") };
    corrected.seed = Some(0x0807_0605_0403_0201);
    corrected.notes = vec![
        MoveNote { evaluation: Some(Evaluation::LogOdds(7)), ..MoveNote::default() },
        MoveNote {
            evaluation: Some(Evaluation::LogOdds(-3)),
            time_ms: Some(128),
            depth: Some(9),
            nodes: Some(0),
        },
    ];
    corrected.correction = Some(Correction {
        parent: GameId(255),
        ply: 1,
        played: Evaluation::Discs(-2),
        better: Evaluation::Proven(Verdict::Score(Score::DRAW)),
        depth: 4,
    });
    corrected.event = "p".into();
    [stopped, played, corrected]
}

/// Worked out by `number_by_the_book` below.
const MOVES: [u8; 12] = [2, 1, 3, 3, 1, 0, 0, 6, 5, 4, 0, 6];

/// The fields in the order of a stream: column and bytes. Numbers of moves are
/// a matter of their own.
const FIELDS: [&[(usize, &[u8])]; 3] = [
    &[
        (FLAGS, &[0b1110]),
        (PLAYERS, &[1]),
        (NAMES, b"\x03Ada"),
        (LIMITS, &[7, 0, 0, 0]),
        (PLAYERS, &[2]),
        (NAMES, b"\x02Bo"),
        (LIMITS, &[0, 0, 0, 0x80 | 45, 2, 2, 0]),
        (OPENINGS, &[2]),
        (LENGTHS, &[3]),
        (MOVES_OF_GAME, &[]),
        (ENDINGS, &[4]),
        (SCORES, &[1]),
    ],
    &[
        (FLAGS, &[0x80 | 0b010_0000, 0b1]),
        (PLAYERS, &[2, 0]),
        (OPENINGS, &[0]),
        (MOVES_OF_GAME, &[]),
        (ENDINGS, &[0]),
        (SOURCES, &[3]),
        (NAMES, b"\x01p"),
        (SOURCES, &[2, 4]),
        (SOLVED, &[1, 8, 131]),
    ],
    &[
        (FLAGS, &[0x80 | 0b101_0001, 0b110]),
        (PLAYERS, &[0, 1]),
        (STARTS, &[2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
        (OPENINGS, &[0]),
        (MOVES_OF_GAME, &[]),
        (ENDINGS, &[0]),
        (SEEDS, &[1, 2, 3, 4, 5, 6, 7, 8]),
        (CORRECTIONS, &[255, 0, 0, 0, 0, 0, 0, 0, 1, 10, 0x80 | 75, 1, 4]),
        (EVALUATIONS, &[43]),
        (TIMES, &[0]),
        (DEPTHS, &[0]),
        (NODES, &[0]),
        // Four thousandths more than the other side's view of 7.
        (EVALUATIONS, &[25]),
        (TIMES, &[0x80 | 1, 1]),
        (DEPTHS, &[10]),
        (NODES, &[1]),
        (TAGS, &[3, 0, 0, 0, 2]),
    ],
];

const NAMES: usize = 0;
const FLAGS: usize = 1;
const PLAYERS: usize = 2;
const LIMITS: usize = 3;
const STARTS: usize = 4;
const OPENINGS: usize = 5;
const LENGTHS: usize = 6;
const MOVES_OF_GAME: usize = 7;
const ENDINGS: usize = 8;
const SCORES: usize = 9;
const SEEDS: usize = 10;
const SOURCES: usize = 11;
const EVALUATIONS: usize = 12;
const TIMES: usize = 13;
const DEPTHS: usize = 14;
const NODES: usize = 15;
const SOLVED: usize = 16;
const CORRECTIONS: usize = 17;
const TAGS: usize = 18;

/// The arithmetic decoder by the book: chances under any name.
struct Book<'a> {
    low: u32,
    high: u32,
    code: u32,
    rest: &'a [u8],
    /// Of a one in 1/65536, and how many bits were seen.
    chances: std::collections::HashMap<String, (i32, i32)>,
}

impl Book<'_> {
    fn new(stream: &[u8]) -> Book<'_> {
        let code = u32::from_be_bytes(stream[..4].try_into().unwrap());
        let chances = std::collections::HashMap::new();
        Book { low: 0, high: u32::MAX, code, rest: &stream[4..], chances }
    }

    fn bit(&mut self, place: String) -> bool {
        let (one, seen) = self.chances.entry(place).or_insert((32768, 0));
        let width = u64::from(self.high - self.low);
        let middle = self.low + (width * *one as u64 / 65536) as u32;
        let bit = self.code <= middle;
        let target = if bit { 65536 } else { 0 };
        *one = (*one + (target - *one) * 2 / (2 * *seen + 3)).clamp(32, 65504);
        *seen = (*seen + 1).min(255);
        if bit {
            self.high = middle
        } else {
            self.low = middle + 1
        }
        while self.low >> 24 == self.high >> 24 {
            let next = self.rest.first().copied().unwrap_or(0);
            self.rest = self.rest.get(1..).unwrap_or(&[]);
            self.low <<= 8;
            self.high = self.high << 8 | 255;
            self.code = self.code << 8 | u32::from(next);
        }
        bit
    }

    fn byte(&mut self, place: &str) -> u8 {
        (0..8).fold(1, |node, _| 2 * node + usize::from(self.bit(format!("{place} {node}")))) as u8
    }

    fn move_number(&mut self, count: u32, empties: u32) -> u8 {
        let by_count = [4, 6, 8, 11, 15].iter().filter(|&&limit| count >= limit).count();
        let mut number = 0;
        while number + 1 < count {
            let place = format!("moves {} {by_count} {}", empties.min(63) / 16, number.min(7));
            if !self.bit(place) {
                break;
            }
            number += 1;
        }
        number as u8
    }
}

/// The compressed bytes of the sample's only block, with all that stands around
/// them right, and the size of its content.
fn packed(sample: &[u8]) -> (&[u8], usize) {
    let u32_at = |at: usize| u32::from_le_bytes(sample[at..at + 4].try_into().unwrap());
    assert_eq!(sample[..20], *b"discern games 3\nGAME");
    assert_eq!(u32_at(20), 3, "games");
    assert_eq!(u32_at(28) as usize, sample.len() - 40, "size of the compressed content");
    assert_eq!(u32_at(32), crc32fast::hash(&sample[40..]));
    assert_eq!(u32_at(36), crc32fast::hash(&sample[16..36]));
    (&sample[40..], u32_at(24) as usize)
}

#[test]
fn the_sample_is_what_the_description_says() {
    let (stream, size) = packed(SAMPLE);
    let (mut book, mut content, mut numbers) = (Book::new(stream), Vec::new(), Vec::new());
    for (fields, record) in FIELDS.iter().zip(records()) {
        let mut places = [0; 19];
        for &(column, bytes) in *fields {
            for &expected in bytes {
                let byte = book.byte(&format!("column {column}, place {}", places[column]));
                assert_eq!(byte, expected, "column {column}");
                places[column] = match column {
                    EVALUATIONS..=NODES if byte > 127 => i32::from(byte) - 127,
                    EVALUATIONS..=NODES => 0,
                    _ => (places[column] + 1).min(15),
                };
                content.push(byte);
            }
            if column == MOVES_OF_GAME {
                for board in record.game.plies().iter().map(|ply| ply.before.board) {
                    let count = board.moves().count();
                    if count > 1 {
                        numbers.push(book.move_number(count, board.empties()));
                        content.push(numbers[numbers.len() - 1]);
                    }
                }
            }
        }
        let check = book.byte(&format!("check of game {}", content.len()));
        assert_eq!(check, crc32fast::hash(&content) as u8);
    }
    assert_eq!(numbers, MOVES);
    assert_eq!(content.len(), size);
}

#[test]
fn the_sample_reads_as_the_three_games() {
    let mut reader = ArchiveReader::new(SAMPLE).unwrap();
    assert_eq!(reader.plan(), None);
    assert_eq!(reader.by_ref().collect::<Result<Vec<_>, _>>().unwrap(), records());
}

#[test]
fn a_plan_stands_before_its_games_as_the_description_says() {
    let text = "{\"format\":\"…\"}";
    let mut block = b"PLAN".to_vec();
    for field in [0, text.len() as u32, text.len() as u32, crc32fast::hash(text.as_bytes())] {
        block.extend(field.to_le_bytes());
    }
    block.extend(crc32fast::hash(&block).to_le_bytes());
    block.extend(text.as_bytes());
    let bytes = [&SAMPLE[..16], &block, &SAMPLE[16..]].concat();
    let mut reader = ArchiveReader::new(bytes.as_slice()).unwrap();
    assert_eq!(reader.plan(), Some(text));
    assert_eq!(reader.by_ref().collect::<Result<Vec<_>, _>>().unwrap(), records());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let mut writer = ArchiveWriter::create(&path).unwrap();
    writer.add_plan(text).unwrap();
    records().iter().for_each(|record| writer.append(record).unwrap());
    writer.commit().unwrap();
    assert_eq!(std::fs::read(path).unwrap(), bytes);
}

#[test]
fn the_three_games_are_still_written_like_the_sample() {
    if std::env::var_os("WRITE_SAMPLES").is_some() {
        // After a deliberate change of the format.
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sample.games");
        let _ = std::fs::remove_file(path);
        let mut writer = ArchiveWriter::create(path).unwrap();
        records().iter().for_each(|record| writer.append(record).unwrap());
        writer.commit().unwrap();
    }
    assert_eq!(testing::stream(&records()), packed(SAMPLE).0);
}

#[test]
fn the_numbers_of_the_moves_follow_the_description() {
    let games = records();
    let numbers = games.iter().flat_map(|record| record.game.plies()).filter_map(|ply| {
        let board = ply.before.board;
        let square = ply.mv.square().filter(|_| board.moves().count() > 1)?;
        Some(number_by_the_book(board, square))
    });
    assert_eq!(numbers.collect::<Vec<u8>>(), MOVES);
}

/// The number of a move, with loops over squares instead of shifts.
fn number_by_the_book(board: Board, played: Square) -> u8 {
    let rank = |square: Square| {
        let after = board.play(square.into()).unwrap();
        let open = |mine: bool| {
            let next_to_disc = |empty: &Square| {
                Square::ALL.iter().any(|disc| {
                    let discs = if mine { after.opponent() } else { after.mover() };
                    discs.contains(*disc)
                        && disc.column().abs_diff(empty.column()) <= 1
                        && disc.row().abs_diff(empty.row()) <= 1
                })
            };
            let empty = Square::ALL.into_iter().filter(|&square| after.empty().contains(square));
            empty.filter(next_to_disc).count() as i32
        };
        let place = match square.to_string().as_str() {
            "a1" | "h1" | "a8" | "h8" => 60,
            "b2" | "g2" | "b7" | "g7" => 112,
            "b1" | "a2" | "g1" | "h2" | "a7" | "b8" | "h7" | "g8" => 104,
            _ => 100,
        };
        (place + open(true) - open(false), square)
    };
    board.moves().squares().filter(|&other| rank(other) < rank(played)).count() as u8
}
