//! `fit --positions` and `compare` from the outside, on positions of random
//! games.

use std::path::Path;
use std::process::{Command, Output};

use discern_board::testing::random_games;
use discern_board::{Board, Color};
use discern_eval::{Evaluator, Weights};
use discern_learn::{ClassifiedPosition, save_positions};
use serde_json::Value;

fn discern(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_discern")).args(args).current_dir(directory).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A directory with `random.positions` of this many games.
fn directory(games: usize) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let mut positions = Vec::new();
    for (group, game) in (0..).zip(random_games(1, games)) {
        let black = game.score_black().unwrap();
        for ply in game.plies() {
            let score = if ply.before.mover == Color::Black { black } else { -black };
            positions.push(ClassifiedPosition {
                board: ply.before.board.canonical(),
                games: 1,
                group,
                shared: false,
                outcome: score.outcome(),
                score: Some(score),
            });
        }
    }
    save_positions(directory.path().join("random.positions"), &positions).unwrap();
    directory
}

#[test]
fn weights_are_written_once_and_tested_on_other_games() {
    let directory = directory(400);
    let fit = ["fit", "--positions", "random.positions", "--output", "new.weights"];
    let fit = [&fit[..], &["--models", "log,fisher,quad,direct", "--held-out", "0.2"]].concat();
    let output = discern(directory.path(), &fit);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("fitted to positions of"));

    let weights = Weights::load(directory.path().join("new.weights")).unwrap();
    for name in ["log", "fisher", "quad", "direct"] {
        let manifest = &weights.model(name).unwrap().manifest;
        assert!(manifest.command.contains("fit --positions random.positions"));
        let held_out = manifest.held_out.as_ref().unwrap();
        assert!(held_out.positions > 3000 && held_out.log_loss[0] < 0.68, "{name} {held_out:?}");
    }

    let again = discern(directory.path(), &fit);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("new.weights: the file exists; --force"));

    let compare = ["compare", "random.positions", "--weights", "new.weights", "--json"];
    let output = discern(directory.path(), &compare);
    assert!(output.status.success(), "{}", stderr(&output));
    let objects: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for model in ["log", "fisher", "quad", "direct"] {
        let late = objects.iter().find(|o| o["model"] == model && o["discs"][0] == 56).unwrap();
        let discordance = late["discordance"]["value"].as_f64().unwrap();
        assert!(discordance > 0.0 && discordance < 0.3, "{model} {discordance}");
        assert!(late["positions"].as_f64().unwrap() > 1000.0);
        assert!(late["calibration"].as_array().unwrap().len() > 3);
    }
}

#[test]
fn json_has_a_line_per_phase_and_model_and_no_feature_left_out() {
    let directory = directory(200);
    let args =
        ["fit", "--positions", "random.positions", "--output", "w", "--json", "--features=-MOB"];
    let output = discern(directory.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let objects: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 3 * discern_eval::PHASES);
    let log = objects.iter().find(|o| o["model"] == "log" && o["phase"] == 50).unwrap();
    assert_eq!(log["stop"], "converged");
    assert!(log["coefficients"]["MOB"].is_null());
    assert!(log["standard_errors"]["PMOB"].as_f64().unwrap() > 0.0);
    let quad = objects.iter().find(|o| o["model"] == "quad" && o["phase"] == 50).unwrap();
    assert_eq!(quad["features"].as_array().unwrap().len(), 12);
    assert_eq!(quad["quadratic"].as_array().unwrap().len(), 12);

    // The direct model of another file is kept as it was, and only it can be.
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/default.weights");
    let fit = ["fit", "--positions", "random.positions", "--output"];
    let kept = [&fit[..], &["kept", "--into", shipped]].concat();
    let output = discern(directory.path(), &kept);
    assert!(output.status.success(), "{}", stderr(&output));
    let [old, new] = [Path::new(shipped), &directory.path().join("kept")]
        .map(|path| Weights::load(path).unwrap());
    let models = |weights: &Weights| weights.models().iter().map(|m| m.name().to_owned()).collect();
    let names: Vec<String> = models(&new);
    assert_eq!(names, ["log", "fisher", "quad", "direct"]);
    let value = |weights: &Weights, name: &str, board: &Board| {
        weights.model(name).unwrap().evaluator().evaluate(board).thousandths()
    };
    let boards: Vec<Board> = random_games(9, 3).map(|game| game.plies()[30].before.board).collect();
    for board in &boards {
        assert_eq!(value(&old, "direct", board), value(&new, "direct", board));
        assert_ne!(value(&old, "log", board), value(&new, "log", board));
    }
    let half = [&fit[..], &["half", "--models", "log", "--into", shipped]].concat();
    let output = discern(directory.path(), &half);
    assert!(stderr(&output).contains("'fisher' looks at the tables of its own file"));
    assert!(!directory.path().join("half").exists());

    // Weights of other features play beside those of the paper.
    let compare = ["compare", "random.positions", "--models", "log,rev", "--weights", "w"];
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/default.weights");
    let output = discern(directory.path(), &[&compare[..], &["--weights", sample]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(" w:log ") && text.contains(" default:log "), "{text}");
}

#[test]
fn a_table_and_positions_are_not_fitted_together() {
    let directory = directory(3);
    for (args, reason) in [
        (&["fit"][..], "<TABLE>"),
        (&["fit", "--positions", "random.positions"], "--output <FILE>"),
        (&["fit", "table.csv", "--label", "won", "--positions", "x"], "--positions"),
        (&["fit", "--positions", "random.positions", "--output", "w", "--label", "x"], "--label"),
    ] {
        let output = discern(directory.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(reason), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn compare_without_weights_splits_the_games() {
    let directory = directory(400);
    let output = discern(directory.path(), &["compare", "random.positions", "--discs", "10"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("(left out: "));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("44–53") && text.contains("quad"), "{text}");
}

#[test]
fn bad_input_is_named_with_the_file() {
    let directory = directory(3);
    std::fs::write(directory.path().join("bad.positions"), b"PAR1").unwrap();
    std::fs::write(directory.path().join("bad.weights"), b"DISCERNW").unwrap();
    for (args, code, reason) in [
        (&["compare", "bad.positions"][..], 1, "while reading bad.positions: this is not a file"),
        (&["compare", "none.positions"], 1, "none.positions"),
        (
            &["compare", "random.positions", "--weights", "bad.weights"],
            1,
            "cannot use bad.weights: the weight file is cut off",
        ),
        (
            &["fit", "--positions", "random.positions", "--output", "w", "--features", "X9"],
            2,
            "'X9'",
        ),
        (&["compare", "random.positions", "--test", "2"], 2, "from 0.01 to 0.9"),
    ] {
        let output = discern(directory.path(), args);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(stderr(&output).contains(reason), "{args:?}: {}", stderr(&output));
        assert!(!directory.path().join("w").exists());
    }
}
