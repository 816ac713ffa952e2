//! Decodes the committed sample of the archive by hand, from what
//! `docs/formats.md` says and nothing else: if this fails, files that are
//! already out there can no longer be read, and the version must change.

use discern_board::{Board, Game, Move, Score, Square};
use discern_records::archive::{ArchiveReader, testing};
use discern_records::{
    Clock, Correction, Ending, Evaluation, GameId, GameRecord, Limits, MoveNote, Player, Solved,
    Source, Verdict,
};

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
        MoveNote::default(),
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

/// The content of the sample's only block, column by column.
const COLUMNS: [&[u8]; 19] = [
    b"\x03Ada\x02Bo\x01p",
    // STOPPED SCORE LIMITS; SOURCE SOLVED; START SEED NOTES CORRECTION TAGS.
    &[0b1110, 0x80 | 0b010_0000, 0b1, 0x80 | 0b101_0001, 0b110],
    &[1, 2, 2, 0, 0, 1],
    // Depth 6; then 300 ms (as 301 = 2·128 + 45) with 2 ms more per move.
    &[7, 0, 0, 0, 0, 0, 0, 0x80 | 45, 2, 2, 0],
    // Black b1, White a1, Black to move.
    &[2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    &[2, 0, 0],
    &[3],
    // Worked out by `number_by_the_book` below.
    &MOVES,
    &[4, 0, 0],
    // −64 + 64 + 1.
    &[1],
    &[1, 2, 3, 4, 5, 6, 7, 8],
    // Plan 3 = "p", shard +1, game +2.
    &[3, 2, 4],
    // Nothing; zigzag(−3) = 5, times 3, plus 1.
    &[0, 16],
    &[0, 0x80 | 1, 1],
    &[0, 10],
    &[0, 1],
    // One: after ply 8, 67 + 64.
    &[1, 8, 131],
    // Parent, ply 1, zigzag(−2)·3 + 1, 67·3 + 2 = 203, depth 4.
    &[255, 0, 0, 0, 0, 0, 0, 0, 1, 10, 0x80 | 75, 1, 4],
    // Event "p", no date, no comment, no rating, zigzag(−1) + 1.
    &[3, 0, 0, 0, 2],
];

const MOVES: [u8; 12] = [2, 1, 3, 3, 1, 0, 0, 6, 5, 4, 0, 6];

fn u32_at(at: usize) -> usize {
    u32::from_le_bytes(SAMPLE[at..at + 4].try_into().unwrap()) as usize
}

#[test]
fn the_sample_is_what_the_description_says() {
    assert_eq!(&SAMPLE[..16], b"discern games 1\n");
    assert_eq!(&SAMPLE[16..20], b"BLCK");
    assert_eq!(u32_at(20), 3, "games");
    assert_eq!(u32_at(28), SAMPLE.len() - 40, "size of the compressed content");
    assert_eq!(u32_at(32), crc32fast::hash(&SAMPLE[40..]) as usize);
    assert_eq!(u32_at(36), crc32fast::hash(&SAMPLE[16..36]) as usize);
    let content = zstd::bulk::decompress(&SAMPLE[40..], 1 << 16).unwrap();
    assert_eq!(u32_at(24), content.len(), "size of the content");
    let mut rest = &content[COLUMNS.len()..];
    for (index, column) in COLUMNS.into_iter().enumerate() {
        assert_eq!(usize::from(content[index]), column.len(), "size of column {index}");
        assert_eq!(&rest[..column.len()], column, "column {index}");
        rest = &rest[column.len()..];
    }
    assert!(rest.is_empty());
}

#[test]
fn the_sample_reads_as_the_three_games() {
    let games: Vec<GameRecord> =
        ArchiveReader::new(SAMPLE).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(games, records());
}

#[test]
fn the_three_games_are_still_written_like_the_sample() {
    if std::env::var_os("WRITE_SAMPLES").is_some() {
        // After a deliberate change of the format.
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sample.games");
        let _ = std::fs::remove_file(path);
        let mut writer = discern_records::archive::ArchiveWriter::create(path).unwrap();
        records().iter().for_each(|record| writer.append(record).unwrap());
        writer.commit().unwrap();
    }
    // Compression may change with zstd, the content may not.
    let content = testing::content(&records());
    assert_eq!(content, zstd::bulk::decompress(&SAMPLE[40..], 1 << 16).unwrap());
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
                    let discs = if mine { after.opponent } else { after.mover };
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
