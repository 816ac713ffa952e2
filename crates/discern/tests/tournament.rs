//! `discern tournament` and `discern openings` from the outside.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::discern;
use discern_records::archive::ArchiveReader;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_discern");

#[test]
fn the_json_of_a_match_has_the_promised_keys() {
    let run = discern(&[
        "tournament",
        "--player",
        "name=a,depth=7",
        "--player",
        "name=b,model=material,depth=1",
        "--pairs",
        "10",
        "--json",
    ]);
    let report = json(&run.success());
    assert_eq!(report["pairs"], 10);
    let number = |key: &str| report[key].as_f64().unwrap_or_else(|| panic!("{key}: {report}"));
    assert_eq!(number("wins") + number("draws") + number("losses"), 20.0);
    let percentage = 100.0 * (number("wins") + number("draws") / 2.0) / 20.0;
    assert!((number("percentage") - percentage).abs() < 1e-9);
    let pentanomial = report["pentanomial"].as_array().unwrap();
    assert_eq!(pentanomial.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 10);
    for key in ["elo", "elo_error", "p_conservative", "p_paired"] {
        assert!(number(key).is_finite());
    }
    assert!(number("percentage") > 70.0, "mobility beats counting discs");
    assert_eq!(report["players"][0]["name"], "a");
    assert!(report["players"][0]["nodes_per_second"].is_number());
}

#[test]
fn identical_players_balance_every_pair() {
    let run = discern(&[
        "tournament",
        "--player",
        "name=a",
        "--player",
        "name=b",
        "--nodes",
        "3000",
        "--pairs",
        "15",
        "--json",
    ]);
    let report = json(&run.success());
    assert_eq!(report["percentage"], 50.0);
    assert_eq!(report["balanced_openings"], 15);
}

#[test]
fn ten_times_the_nodes_win_clearly() {
    let run = discern(&[
        "tournament",
        "--player",
        "name=strong,nodes=20000",
        "--player",
        "name=weak,nodes=500",
        "--pairs",
        "25",
        "--json",
    ]);
    let report = json(&run.success());
    assert!(report["percentage"].as_f64().unwrap() > 65.0, "{report}");
    assert!(report["p_paired"].as_f64().unwrap() < 0.05, "{report}");
}

#[test]
fn force_does_not_take_the_archive_from_a_tournament_at_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.games");
    let file = path.to_str().unwrap();
    let play = || {
        discern(&[
            "tournament",
            "--player",
            "name=a",
            "--player",
            "name=b",
            "--depth",
            "1",
            "--pairs",
            "1",
            "--force",
            "-o",
            file,
        ])
    };
    let writer = discern_records::archive::ArchiveWriter::create(&path).unwrap();
    assert_eq!(play().failure(), format!("{file}: another process is writing to it"));
    assert!(path.exists());
    drop(writer);
    play().success();
}

#[test]
fn several_players_get_a_table_and_ratings() {
    let arguments = [
        "tournament",
        "--player",
        "name=deep,depth=4",
        "--player",
        "name=flat,depth=1",
        "--player",
        "name=discs,model=material,depth=1",
        "--pairs",
        "8",
    ];
    let text = discern(&arguments).success();
    for expected in ["deep – flat", "deep – discs", "flat – discs", "Holm", "48 of 48 games"]
    {
        assert!(text.contains(expected), "no '{expected}' in:\n{text}");
    }
    let report =
        json(&discern(&[&arguments[..], &["--schedule", "gauntlet", "--json"]].concat()).success());
    assert_eq!(report["matches"].as_array().unwrap().len(), 2);
    let rating = |index: usize| report["players"][index]["rating"].as_f64().unwrap();
    assert!(rating(0) > rating(1) && rating(0) > rating(2));
}

#[test]
fn our_own_protocols_play_against_our_engine() {
    for protocol in ["gtp", "nboard"] {
        let other = format!("name=child,cmd='{PROGRAM} {protocol} --depth 2',protocol={protocol}");
        let ours = "direct,name=ours,depth=2";
        let run = discern(&[
            "tournament",
            "--player",
            ours,
            "--player",
            &other,
            "--pairs",
            "4",
            "--json",
        ]);
        let report = json(&run.success());
        assert_eq!(report["endings"]["played"], 8, "{report}");
        // The same engine with the same limits: whatever it plays with one
        // colour it plays with the other.
        assert_eq!(report["percentage"], 50.0, "{protocol}: {report}");
    }
}

#[test]
fn a_clock_is_told_to_children_and_kept() {
    let child = |protocol: &str| {
        format!("name={protocol},cmd='{PROGRAM} {protocol}',protocol={protocol},time=3+0.05")
    };
    let run = discern(&[
        "tournament",
        "--player",
        &child("gtp"),
        "--player",
        &child("nboard"),
        "--pairs",
        "1",
        "--margin",
        "500",
        "--json",
    ]);
    let report = json(&run.success());
    assert_eq!(report["endings"]["played"], 2, "{report}");
    for player in [0, 1] {
        let share = report["players"][player]["largest_clock_share"].as_f64().unwrap();
        assert!(share > 0.2 && share < 1.0, "{report}");
    }
}

#[test]
fn a_sequential_test_stops_early() {
    let arguments = [
        "tournament",
        "--player",
        "name=a,depth=4",
        "--player",
        "name=b,model=material,depth=1",
        "--pairs",
        "60",
        "--sprt",
        "0,100",
        "--json",
    ];
    let report = json(&discern(&arguments).success());
    assert_eq!(report["conclusion"], "decided");
    assert_eq!(report["sprt"]["accepted"], "elo1");
    assert_eq!(report["sprt"]["pairs"], report["pairs"]);
    assert!(report["pairs"].as_u64().unwrap() < 60);
}

/// Number in the plan → moves and result.
fn games(path: &Path) -> BTreeMap<u64, (String, i32)> {
    let mut games = BTreeMap::new();
    for record in ArchiveReader::open(path).unwrap() {
        let record = record.unwrap();
        let number = record.source.clone().unwrap().game;
        let result = (record.game.transcript(), record.score_black.unwrap().discs());
        assert!(games.insert(number, result).is_none(), "game {number} twice");
    }
    games
}

#[test]
fn killed_and_resumed_every_game_is_there_once_and_the_table_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = |file: &Path| -> Vec<String> {
        let mut arguments: Vec<String> = [
            "tournament",
            "--player",
            "name=a,nodes=3000",
            "--player",
            "name=b,model=rev-edges,nodes=3000",
            "--player",
            "name=c,model=material,nodes=1000",
            "--pairs",
            "12",
            "--json",
            "-o",
        ]
        .map(str::to_owned)
        .into();
        arguments.push(file.display().to_string());
        arguments
    };
    let run = |file: &Path| {
        let arguments = arguments(file);
        discern(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).success()
    };
    let (whole, broken) = (folder.path().join("whole.games"), folder.path().join("broken.games"));
    let expected = json(&run(&whole));
    // Killed three times in the middle, at different places.
    for goal in [6, 25, 50] {
        let mut child = Command::new(PROGRAM)
            .args(arguments(&broken))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let stored = || match ArchiveReader::open(&broken) {
            Ok(reader) => reader.filter(Result::is_ok).count(),
            Err(_) => 0,
        };
        while stored() < goal && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(3));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(stored() >= goal, "the run got on");
    }
    // A torn block at the end, as after a power cut.
    let bytes = std::fs::read(&broken).unwrap();
    std::fs::write(&broken, &bytes[..bytes.len() - 7]).unwrap();
    let resumed = json(&run(&broken));
    for key in ["matches", "balanced_openings", "endings", "games", "plan"] {
        assert_eq!(resumed[key], expected[key], "{key}");
    }
    let (found, expected) = (games(&broken), games(&whole));
    assert_eq!(found.len(), 72);
    for (number, game) in &found {
        assert_eq!(game, &expected[number], "game {number}");
    }
    // Once more changes nothing, and another tournament is refused.
    let before = std::fs::read(&broken).unwrap();
    run(&broken);
    assert_eq!(std::fs::read(&broken).unwrap(), before);
    let file = broken.display().to_string();
    let other =
        ["tournament", "--player", "name=x,depth=1", "--player", "name=y,depth=1", "-o", &file];
    let complaint = discern(&other).failure();
    assert!(
        complaint.contains("begun with other settings: pairs 12 there, 60 here; players"),
        "{complaint}"
    );
    assert!(complaint.ends_with("name another file, or --force replaces it"), "{complaint}");
    let mut more_nodes = arguments(&broken);
    more_nodes[2] = "name=a,nodes=3001".into();
    more_nodes.extend(["--seed".to_owned(), "2".to_owned()]);
    let more_nodes: Vec<&str> = more_nodes.iter().map(String::as_str).collect();
    let complaint = discern(&more_nodes).failure();
    let differs = "players a nodes 3000 there, 3001 here; seed 1 there, 2 here;";
    assert!(complaint.contains(differs), "{complaint}");
    assert_eq!(std::fs::read(&broken).unwrap(), before);
    // The archive alone is enough to resume.
    std::fs::write(&broken, &before[..before.len() - 200]).unwrap();
    let resumed = json(&discern(&["tournament", "-o", &file, "--json"]).success());
    assert_eq!(resumed["matches"], json(&run(&whole))["matches"]);
    let shown = discern(&["games", "show", &file]).success();
    assert!(shown.contains("discern tournament plan 2, begun by discern 0."), "{shown}");
    assert!(shown.contains("player rev-edges,name=b,hash=16,nodes=3000"), "{shown}");
}

/// Moves the build that began to another one, as if the program had changed.
fn begun_by_another_build(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let (before, after) = text.split_once("\"program\": \"").unwrap();
    std::fs::write(path, format!("{before}\"program\": \"{}{}", "0".repeat(32), &after[32..]))
        .unwrap();
}

#[test]
fn shards_played_by_many_processes_give_the_table_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let players = [
        "--player",
        "log,name=a,nodes=2000",
        "--player",
        "rev,name=b,nodes=2000,chance=100",
        "--player",
        "material,name=c,depth=2",
        "--pairs",
        "7",
        "--seed",
        "5",
    ];
    let plan = |name: &str| {
        let folder = path(name);
        let words = ["tournament", "plan", &folder, "--shards", "4"];
        discern(&[&words, &players[..]].concat()).success()
    };
    let merge = |name: &str| {
        let (folder, output) = (path(name), path(&format!("{name}.games")));
        let table = discern(&["tournament", "merge", &folder, "-o", &output, "--json"]).success();
        let manifest = std::fs::read(format!("{output}.manifest.json")).unwrap();
        (json(&table), std::fs::read(&output).unwrap(), manifest)
    };
    // One process makes everything; and so does one without a folder.
    assert!(plan("one").ends_with(": 3 players, 42 games, 4 shards\n"));
    discern(&["tournament", "run", &path("one")]).success();
    let (table, games, _) = merge("one");
    let direct = path("direct.games");
    let words = [&["tournament", "--json", "-o", &direct], &players[..]].concat();
    let expected = json(&discern(&words).success());
    for key in ["matches", "games", "endings", "balanced_openings"] {
        assert_eq!(table[key], expected[key], "{key}");
    }
    assert_eq!(table["players"][1]["wins"], expected["players"][1]["wins"]);
    assert_eq!(table["conclusion"], "complete");

    // Four processes in any order; one of them is killed and repeated.
    plan("four");
    let four = path("four");
    let start = |shard: &str| {
        let words = ["tournament", "run", &four, "--shard", shard];
        let mut command = Command::new(PROGRAM);
        command.args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut killed = start("2/4");
    std::thread::sleep(Duration::from_millis(400));
    killed.kill().unwrap();
    let was_hit = !killed.wait().unwrap().success();
    let missing = discern(&["tournament", "missing", &four]).success();
    assert_eq!(missing, if was_hit { "0/4\n1/4\n2/4\n3/4\n" } else { "0/4\n1/4\n3/4\n" });
    let complaint = discern(&["tournament", "merge", &four, "-o", &path("four.games")]).failure();
    assert!(complaint.contains("of 4 shards are missing"), "{complaint}");
    let children: Vec<_> = ["3/4", "0/4", "2/4", "1/4"].map(start).into();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(discern(&["tournament", "missing", &four]).success(), "");
    // A process that was thought dead comes back: harmless.
    assert!(start("2/4").wait().unwrap().success());
    let (again, same, manifest) = merge("four");
    assert!(games == same, "other bytes");
    assert_eq!(again, table);
    let manifest = json(&String::from_utf8(manifest).unwrap());
    assert_eq!(manifest["builds"].as_array().unwrap().len(), 1);

    // Another build says so and resumes only when told to.
    plan("other");
    begun_by_another_build(&folder.path().join("other/plan.json"));
    let other = path("other");
    let run = ["tournament", "run", &other];
    let complaint = discern(&run).failure();
    assert!(complaint.contains("program 00000000)") && complaint.contains("--other-build"));
    discern(&[&run[..], &["--other-build"]].concat()).success();
    let (another, _, manifest) = merge("other");
    assert_eq!(another["matches"], table["matches"]);
    let manifest = json(&String::from_utf8(manifest).unwrap());
    assert_eq!(manifest["builds"].as_array().unwrap().len(), 2);
}

#[test]
fn the_first_signal_finishes_the_games_in_hand() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.games");
    let child = Command::new(PROGRAM)
        .args(["tournament", "--player", "name=a,nodes=20000", "--player", "name=b,nodes=20000"])
        .args(["--pairs", "60", "--json", "-o"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let stored = || ArchiveReader::open(&file).map_or(0, Iterator::count);
    while stored() == 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("finishing the games in hand"), "{complaint}");
    assert!(complaint.contains("the same command resumes"), "{complaint}");
    let report = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(report["conclusion"], "halted");
    let stored = games(&file);
    assert_eq!(report["games"].as_u64().unwrap(), stored.len() as u64);
    assert!(!stored.is_empty() && stored.len() < 120);
}

#[test]
fn players_may_stand_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("players.toml");
    let config = |text: &str| std::fs::write(&file, text).unwrap();
    let run = || discern(&["tournament", "--config", file.to_str().unwrap(), "--pairs", "1"]);
    config(
        "[[player]]\nname = \"a\"\ntime = \"5+0.1\"\n\n[[player]]\nname = \"b\"\nmodel = \"material\"\ntime = 7\n",
    );
    let text = run().success();
    assert!(text.contains("0:05/0:00.100") && text.contains("0:07"), "{text}");
    config("[[player]]\nname = \"a\"\ndepth = 1\n\n[[player]]\nname = \"b\"\ndept = 2\n");
    let complaint = run().failure();
    assert!(
        complaint.contains("players.toml, line 7: 'dept' is not a setting of a player"),
        "{complaint}"
    );
}

#[test]
fn bad_players_get_one_sentence() {
    let complaint = |players: &[&str]| {
        let mut arguments = vec!["tournament"];
        for player in players {
            arguments.extend(["--player", player]);
        }
        discern(&arguments).failure()
    };
    assert!(complaint(&["name=a,depth=1"]).starts_with("a tournament needs two players"));
    assert_eq!(complaint(&["name=a,depth=1", "name=a,depth=2"]), "two players are called 'a'");
    assert!(complaint(&["name=a", "name=b,depth=2"]).starts_with("a: no limit"));
    assert_eq!(
        complaint(&["name=a,depth=1,model=nope", "name=b,depth=2"]),
        "a: there is no model 'nope', only log, fisher, quad, direct, rev, rev-edges, material"
    );
    assert_eq!(
        complaint(&["name=a,depth=1", "name=b,cmd=/nonexistent/engine"]),
        "b: cannot start '/nonexistent/engine': No such file or directory (os error 2)"
    );
    assert_eq!(
        complaint(&["name=a,depth=1", "name=b,cmd=cat,depth=3"]),
        "b: GTP cannot limit depth or nodes; put them into cmd"
    );
    assert_eq!(complaint(&["log,depth=1", "log,depth=2"]), "two players are called 'log'");
    for bad in ["name=b,cmd=cat,protocol=uci", "dept=1", "log,rev", "cmd=x,model=log"] {
        assert_eq!(discern(&["tournament", "--player", bad]).code, Some(2), "{bad}");
    }
    let help = |words: &[&str]| discern(&[words, &["--help"]].concat()).success();
    for command in [
        &["tournament"][..],
        &["tournament", "plan"],
        &["generate", "plan"],
        &["correct"],
        &["openings"],
    ] {
        assert!(help(command).contains("stray-until=20"), "{command:?}");
    }
    assert_eq!(discern(&["tournament", "--sprt", "5,1"]).code, Some(2));
}

#[test]
fn openings_are_found_written_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("even.txt");
    let path = file.to_str().unwrap();
    let find =
        |extra: &[&str]| discern(&[&["openings", "--count", "6", "--depth", "4"], extra].concat());
    find(&["-o", path]).success();
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(find(&["--threads", "2"]).success(), text, "the same for two threads");
    let openings: Vec<&str> = text.lines().filter(|line| !line.starts_with('%')).collect();
    assert_eq!(openings.len(), 6);
    for opening in openings {
        let (moves, value) = opening.split_once(" % ").unwrap();
        assert_eq!(moves.len(), 20, "ten moves lead to 14 discs");
        assert!(value.parse::<f64>().unwrap().abs() <= 0.4);
    }
    assert!(find(&["-o", path]).failure().contains("--force"));
    let run = discern(&[
        "tournament",
        "--openings",
        path,
        "--player",
        "name=a,depth=1",
        "--player",
        "name=b,depth=2",
        "--json",
    ]);
    assert_eq!(json(&run.success())["openings"], 6);
}
