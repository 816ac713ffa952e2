//! `discern games` as users meet it: the real program on real files.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use discern_board::testing::random_games;
use discern_records::archive::{ArchiveReader, ArchiveWriter};
use discern_records::{GameRecord, Player};
use serde_json::Value;
use tempfile::TempDir;

struct Desk(TempDir);

/// What a run of the program left behind.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn games(&self, line: &str) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_discern"));
        command.current_dir(self.0.path()).arg("games").args(line.split_whitespace());
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Everything in the folder, by name.
    fn files(&self) -> Vec<String> {
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<_> =
            fs::read_dir(self.0.path()).unwrap().map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    /// An archive of random games with a commit after every ten.
    fn archive(&self, name: &str, seed: u64, count: usize) -> Vec<GameRecord> {
        let mut writer = ArchiveWriter::create(self.path(name)).unwrap();
        let mut records = Vec::new();
        for (index, game) in random_games(seed, count).enumerate() {
            let mut record = GameRecord::new(game);
            record.players.black = Player::named("Ada");
            record.players.white = Player::named(["Bo", "Cy"][index % 2]);
            writer.append(&record).unwrap();
            if index % 10 == 9 {
                writer.commit().unwrap();
            }
            records.push(record);
        }
        writer.commit().unwrap();
        records
    }

    fn read(&self, name: &str) -> Vec<GameRecord> {
        ArchiveReader::open(self.path(name)).unwrap().collect::<Result<_, _>>().unwrap()
    }
}

#[test]
fn games_survive_a_journey_through_every_format() {
    let desk = Desk::new();
    let records = desk.archive("a.games", 1, 30);
    for (from, to) in
        [("a.games", "b.ggf"), ("b.ggf", "c.sgf"), ("c.sgf", "d.wtb"), ("d.wtb", "e.games")]
    {
        let run = desk.games(&format!("convert {from} -o {to}"));
        assert_eq!(run.code, Some(0), "{from} to {to}: {}", run.stderr);
        assert_eq!(run.stdout, "");
    }
    assert_eq!(desk.read("e.games").len(), records.len());
    for (back, record) in desk.read("e.games").iter().zip(&records) {
        assert_eq!(back.game, record.game);
        assert_eq!(back.score_black, record.score_black);
        assert_eq!(back.players, record.players);
    }
    let run = desk.games("export e.games");
    let lines: Vec<String> = records.iter().map(|record| record.game.transcript()).collect();
    assert_eq!(run.stdout.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn faulty_games_are_named_and_nothing_is_written_unless_they_may_be_left_out() {
    let desk = Desk::new();
    desk.write("a.txt", "f5d6\n% remark\nf5f5\n\nk9\nd3\n");
    let run = desk.games("import a.txt -o a.games");
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.stderr,
        "a.txt: game 2, line 3: move 2, column 3: f5 is not a legal move for white\n\
         a.txt: game 3, line 5: column 1: 'k9' is not a move\n\
         a.txt: unfinished: game 1, 4\n\
         discern: 2 faults; nothing was written (--skip-faulty leaves them out)\n"
    );
    assert_eq!(desk.files(), ["a.txt"]);
    let run = desk.games("import a.txt -o a.games --skip-faulty");
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.ends_with("2 read (2 unfinished, 2 faults left out), 2 games written\n"));
    assert_eq!(desk.read("a.games").len(), 2);
    let run = desk.games("import a.games -o b.games --skip-unfinished");
    assert_eq!((run.code, desk.read("b.games").len()), (Some(0), 0));
}

#[test]
fn nothing_is_overwritten_unasked() {
    let desk = Desk::new();
    desk.write("a.txt", "f5d6\n");
    desk.write("b.games", "precious");
    let run = desk.games("import a.txt -o b.games");
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "discern: b.games: the file exists; --force replaces it\n");
    assert_eq!(fs::read(desk.path("b.games")).unwrap(), b"precious");
    assert_eq!(desk.games("import a.txt -o b.games --force").code, Some(0));
    assert_eq!(desk.read("b.games").len(), 1);
    desk.write("c.jou", "precious");
    assert_eq!(desk.games("import b.games -o c.wtb").code, Some(1));
    assert_eq!(desk.files(), ["a.txt", "b.games", "c.jou"]);
}

#[test]
fn bad_input_gets_one_clear_sentence() {
    let desk = Desk::new();
    desk.write("rubbish", [7, 200, 1, 0, 255]);
    desk.write("empty", "");
    desk.write("a.txt", "f5\n");
    fs::create_dir(desk.path("folder")).unwrap();
    for (line, code, sentence) in [
        (
            "import nosuch -o x.games",
            1,
            "discern: nosuch: No such file or directory (os error 2)\n",
        ),
        ("import rubbish -o x.games", 1, "rubbish: not a format of games we know"),
        ("import empty -o x.games --skip-faulty", 1, "empty: not a format of games we know"),
        ("import folder -o x.games", 1, "discern: folder: no files of games in this folder\n"),
        ("import a.txt -o x", 1, "discern: x: the name does not say which format"),
        ("import a.txt -o no/x.games", 1, "discern: writing no/x.games: No such file"),
        ("export a.txt --format wthor", 1, "discern: wthor is not text: name a file with --output"),
        ("export a.txt --format pgn", 2, "error: invalid value 'pgn'"),
        ("import", 2, "error: the following required arguments were not provided"),
        ("import a.txt -o x.ggf --append", 1, "discern: x.ggf: only archives can be added to"),
        ("show a.txt 7", 1, "discern: a.txt: there is no game 7, the last one is 1\n"),
    ] {
        let run = desk.games(line);
        assert_eq!(run.code, Some(code), "{line}: {}", run.stderr);
        assert!(run.stderr.starts_with(sentence), "{line}: {}", run.stderr);
    }
    assert_eq!(desk.files(), ["a.txt", "empty", "folder", "rubbish"]);
}

#[test]
fn merging_keeps_the_order_and_dedup_the_first_of_each() {
    let desk = Desk::new();
    let [a, b] = [desk.archive("a.games", 2, 12), desk.archive("b.games", 3, 5)];
    // The first game of a, mirrored at the diagonal: columns and rows change places.
    let mirrored: String = a[0]
        .game
        .transcript()
        .as_bytes()
        .chunks(2)
        .flat_map(|square| [square[1] - b'1' + b'a', square[0] - b'a' + b'1'])
        .map(char::from)
        .collect();
    desk.write("c.txt", mirrored + "\n");
    assert_eq!(desk.games("merge a.games b.games c.txt -o all.games").code, Some(0));
    let all = desk.read("all.games");
    assert_eq!(all.len(), 18);
    assert_eq!((&all[..12], &all[12..17]), (&a[..], &b[..]));
    let run = desk.games("dedup all.games -o unique.games");
    assert!(
        run.stderr.ends_with("18 read, 17 games written\n1 duplicate dropped\n"),
        "{}",
        run.stderr
    );
    assert_eq!(desk.read("unique.games"), all[..17]);
}

#[test]
fn archives_grow_by_appending() {
    let desk = Desk::new();
    let records = desk.archive("a.games", 4, 20);
    desk.write("b.txt", "f5d6c3\n");
    let before = fs::read(desk.path("a.games")).unwrap();
    assert_eq!(desk.games("import b.txt -o a.games --append").code, Some(0));
    let after = fs::read(desk.path("a.games")).unwrap();
    assert!(after.starts_with(&before));
    assert_eq!(desk.read("a.games").len(), records.len() + 1);
    // A fault anywhere, and the archive stays as it is.
    desk.write("c.txt", "f5\nf5f5\n");
    assert_eq!(desk.games("import c.txt -o a.games --append").code, Some(1));
    assert_eq!(fs::read(desk.path("a.games")).unwrap(), after);
}

#[test]
fn a_second_writer_is_refused() {
    let desk = Desk::new();
    desk.archive("a.games", 5, 3);
    desk.write("b.txt", "f5\n");
    let writer = ArchiveWriter::open(desk.path("a.games")).unwrap();
    let run = desk.games("import b.txt -o a.games --append");
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.stderr,
        "discern: writing a.games: another process is writing to this archive\n"
    );
    drop(writer);
    assert_eq!(desk.games("import b.txt -o a.games --append").code, Some(0));
}

#[test]
fn cut_archives_give_their_whole_games() {
    let desk = Desk::new();
    let records = desk.archive("a.games", 6, 30);
    let bytes = fs::read(desk.path("a.games")).unwrap();
    desk.write("a.games", &bytes[..bytes.len() - 5]);
    let run = desk.games("validate a.games");
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.starts_with("29 games good"), "{}", run.stdout);
    assert!(run.stderr.contains("bytes are unfinished; 9 whole games of them count"));
    assert_eq!(desk.games("convert a.games -o b.games").code, Some(0));
    assert_eq!(desk.read("b.games"), records[..29]);
}

#[test]
fn damaged_archives_are_named_by_byte_and_can_be_salvaged() {
    let desk = Desk::new();
    let records = desk.archive("a.games", 7, 30);
    let mut bytes = fs::read(desk.path("a.games")).unwrap();
    bytes[100] ^= 4;
    desk.write("a.games", &bytes);
    let run = desk.games("validate a.games");
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.starts_with(
            "a.games: game 1: damaged: byte 100 was changed, in the block of 10 games at bytes 16 to"
        ),
        "{}",
        run.stderr
    );
    assert_eq!(desk.games("convert a.games -o b.games").code, Some(1));
    assert_eq!(desk.games("convert a.games -o b.games --skip-faulty").code, Some(0));
    assert_eq!(desk.read("b.games"), records[10..]);
    assert_eq!(fs::read(desk.path("a.games")).unwrap(), bytes);
}

#[test]
fn the_summary_counts() {
    let desk = Desk::new();
    let records = desk.archive("a.games", 8, 10);
    let run = desk.games("summary a.games --json");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let wins = records.iter().filter(|record| record.score_black.unwrap().discs() > 0).count();
    let plies: usize = records.iter().map(|record| record.game.plies().len()).sum();
    assert_eq!(report["games"], 10);
    assert_eq!(report["black"]["wins"], wins);
    assert_eq!(report["plies"], plies);
    assert_eq!(report["players"], 3);
    assert_eq!(report["top_players"][0]["name"], "Ada");
    assert_eq!(report["top_players"][0]["games"], 10);
    assert_eq!(report["endings"]["played"], 10);
    // The four first moves are one up to symmetry.
    let run = desk.games("summary a.games --opening-moves 1 --json");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["openings"], 1);
    assert_eq!(report["top_openings"][0]["moves"], "c4");
    let run = desk.games("summary a.games");
    assert!(run.stdout.starts_with("games      10 (0 unfinished)\n"), "{}", run.stdout);
}

#[test]
fn one_game_can_be_drawn() {
    let desk = Desk::new();
    desk.write(
        "a.ggf",
        "(;GM[Othello]PB[Ada]PW[Bo]RE[?]BO[8 ---------------------------O*------*O\
         --------------------------- *]B[f5/1.5/0.25]W[d6];)",
    );
    let run = desk.games("show a.ggf --moves --ply 1");
    assert_eq!(run.code, Some(0));
    assert_eq!(
        run.stdout,
        "black  Ada\nwhite  Bo\nresult none, unfinished\nid     486fc711329709ef\nmoves  f5d6\n  \
         1 X f5   +1.50 discs, 0.250 s\n  2 O d6\n\nafter ply 1, white to move:\n  a b c d e f g h\n\
         1 - - - - - - - -\n2 - - - - - - - -\n3 - - - - - - - -\n4 - - - O X . - -\n\
         5 - - - X X X - -\n6 - - - . - . - -\n7 - - - - - - - -\n8 - - - - - - - -\n"
    );
}

#[test]
fn what_obf_cannot_say_is_refused_and_positions_survive_it() {
    let desk = Desk::new();
    desk.write("a.txt", "f5d6c3\n");
    let run = desk.games("export a.txt -o a.obf");
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.starts_with("a.txt: game 1: OBF is for positions with scores"));
    assert_eq!(desk.files(), ["a.txt"]);
    let position = "---------------------------OX------XO--------------------------- X;\n";
    desk.write("b.obf", position);
    assert_eq!(desk.games("export b.obf -o c.obf").code, Some(0));
    assert_eq!(fs::read_to_string(desk.path("c.obf")).unwrap(), position);
}

#[test]
fn a_terminal_obeys_no_name() {
    let desk = Desk::new();
    desk.write(
        "a.ggf",
        "(;GM[Othello]PB[\u{1b}cAda]PW[Bo]EV[x\u{9b}y]RE[?]BO[8 ---------------------------O*------*O\
         --------------------------- *]B[f5];)",
    );
    desk.write("b.ggf", "(;GM[\u{1b}c];)");
    for line in ["show a.ggf", "summary a.ggf", "validate b.ggf", "show b.ggf"] {
        let run = desk.games(line);
        let printed = run.stdout + &run.stderr;
        assert!(printed.contains("\\u{1b}"), "{line}: {printed}");
        let raw = printed.contains(|symbol: char| symbol.is_control() && symbol != '\n');
        assert!(!raw, "{line}: {printed:?}");
    }
}

#[test]
fn force_does_not_replace_what_another_process_writes_to() {
    let desk = Desk::new();
    desk.archive("a.games", 12, 10);
    desk.archive("b.games", 13, 10);
    let writer = ArchiveWriter::open(desk.path("a.games")).unwrap();
    let run = desk.games("import b.games -o a.games --force");
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (Some(1), "discern: writing a.games: another process is writing to it\n")
    );
    drop(writer);
    assert_eq!(desk.games("import b.games -o a.games --force").code, Some(0));
    assert_eq!(desk.read("a.games"), desk.read("b.games"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_on_the_way_leaves_everything_as_it_was() {
    let desk = Desk::new();
    desk.archive("a.games", 10, 30);
    desk.archive("b.games", 11, 3000);
    let before = fs::read(desk.path("a.games")).unwrap();
    for (line, output) in
        [("--append -o a.games", "a.games"), ("-o c.games", "c.games"), ("-o c.wtb", "c.wtb")]
    {
        // No file may grow beyond 40 kB: one block fits, three do not.
        let script = "trap '' XFSZ; ulimit -f 40; exec \"$0\" games import b.games $1";
        let mut command = Command::new("bash");
        command.current_dir(desk.0.path()).args(["-c", script]);
        let run = command.arg(env!("CARGO_BIN_EXE_discern")).arg(line).output().unwrap();
        assert_eq!(run.status.code(), Some(1));
        assert_eq!(
            String::from_utf8(run.stderr).unwrap(),
            format!("discern: writing {output}: File too large (os error 27)\n")
        );
        assert_eq!(desk.files(), ["a.games", "b.games"]);
        assert_eq!(fs::read(desk.path("a.games")).unwrap(), before);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let desk = Desk::new();
    desk.archive("a.games", 9, 30);
    for format in ["ggf", "archive", "transcript"] {
        let run = desk.games(&format!("export a.games -o /dev/full --format {format}"));
        assert_eq!(run.code, Some(1));
        assert_eq!(
            run.stderr,
            "discern: writing /dev/full: No space left on device (os error 28)\n"
        );
    }
}
