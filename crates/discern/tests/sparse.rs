//! `discern fit --sparse` and `predict` as a user runs them.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    fn run(&self, arguments: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_discern"))
            .args(arguments.split_whitespace())
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    fn succeed(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.succeed(arguments)).unwrap()
    }

    /// The one sentence of a command that must fail with this code.
    fn fail(&self, code: i32, arguments: &str) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {errors}");
        assert!(code == 2 || errors.lines().count() == 1, "{errors}");
        errors
    }
}

/// Rows of two patterns of six configurations, five rows a game.
fn rows() -> String {
    let row = |row: u64| {
        let chance = row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let (a, b) = (chance % 6, chance / 6 % 6);
        let label = if (a + b + chance / 36 % 7) > 8 { "1" } else { "-1" };
        format!("{label} qid:{} {}:1 {}:1\n", row / 5, a + 1, b + 7)
    };
    (0..2000).map(row).collect()
}

#[test]
fn the_json_has_weights_counts_and_why_it_stopped() {
    let desk = Desk::new();
    desk.file("a.svm", rows());
    let fit = desk.json("fit --sparse a.svm --ridge 0.5 --json");
    assert_eq!((&fit["model"], &fit["stop"]), (&"sparse".into(), &"converged".into()));
    let numbers = |name: &str| -> Vec<f64> {
        fit[name].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
    };
    let (weights, counts) = (numbers("weights"), numbers("counts"));
    assert_eq!((weights.len(), counts.iter().sum::<f64>()), (12, 4000.0));
    assert!(weights[..6].is_sorted() && weights[6..].is_sorted(), "{weights:?}");
    assert!(fit["intercept"].is_f64() && fit["iterations"].as_u64().unwrap() > 0);
    assert!(fit["log_likelihood"].as_f64().unwrap() < 0.0);
    // Whatever the threads, and wherever the rows are kept.
    for more in ["--threads 1", "--threads 3", "--memory 0"] {
        assert_eq!(desk.json(&format!("fit --sparse a.svm --ridge 0.5 --json {more}")), fit);
    }
    // The paper's trials make the weights smaller and the likelihood larger.
    let paper = desk.json("fit --sparse a.svm --ridge 0.5 --trials 100 --json");
    assert_ne!(paper["weights"], fit["weights"]);
}

#[test]
fn a_model_goes_through_its_file_to_predictions() {
    let desk = Desk::new();
    desk.file("a.svm", rows());
    let printed =
        desk.succeed("fit --sparse a.svm --group qid --folds 3 --output m.sparse --output m.csv");
    assert!(printed.contains("held-out rows, 3 folds of groups"), "{printed}");
    let csv = std::fs::read_to_string(desk.0.path().join("m.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 1 + 12);
    assert!(csv.starts_with("index,weight,error,count\n(intercept),"));
    let predicted = desk.succeed("predict m.sparse a.svm");
    assert!(predicted.starts_with("label,qid,p_sparse\n"), "{predicted}");
    assert_eq!(predicted.lines().count(), 2001);
    let compared = desk.succeed("predict m.sparse a.svm --label label --output p.csv");
    assert!(compared.contains("SPARSE  2,000"), "{compared}");
    let json = desk.succeed("predict m.sparse a.svm --json");
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert!((0.0..1.0).contains(&first["p_sparse"].as_f64().unwrap()));
    assert!(desk.fail(1, "fit --sparse a.svm -o m.sparse").contains("--force replaces it"));
    assert!(desk.fail(1, "predict m.sparse a.svm --models log").contains("has no model 'log'"));
}

#[test]
fn bad_input_gets_one_sentence_with_the_line() {
    let desk = Desk::new();
    for (text, more, sentence) in [
        ("1 1:1\n0 3:1 2:1\n", "", "a.svm, line 2: index 2 follows 3: indices must ascend"),
        ("1 1:1\nmaybe 2:1\n", "", "a.svm, line 2: 'maybe' is not a result"),
        ("1 1:1\n0 2:x\n", "", "a.svm, line 2: index 2: 'x' is not a number"),
        ("1 1:1\n0 7:1\n", " --weights 5", "a.svm, line 2: index 7 is out of range: 5 is the last"),
        ("1 1:1\n1 2:1\n", "", "a.svm: there are no lost rows among 2: both classes are needed"),
        ("1 1:1\n0 2:1\n", " --group game", "there is no column 'game'"),
        ("1 1:1\n0 2:1\n", " --folds 3", "3 folds of 2 rows: give at most that many"),
    ] {
        desk.file("a.svm", text);
        let said = desk.fail(1, &format!("fit --sparse a.svm{more}"));
        assert!(said.contains(sentence), "{said}");
    }
    assert!(desk.fail(1, "fit --sparse nowhere.svm").contains("nowhere.svm: No such file"));
    desk.fail(2, "fit --sparse a.svm --ridge -1");
    desk.fail(2, "fit --sparse");
}

/// Games to configurations of patterns to weights.
#[test]
fn classified_games_become_rows_of_patterns() {
    let desk = Desk::new();
    let games: Vec<String> =
        discern_board::testing::random_games(5, 60).map(|game| game.transcript()).collect();
    desk.file("g.txt", games.join("\n"));
    desk.succeed("classify g.txt -o rows.svm -o rows.svm.zst");
    let arguments = "--group qid --phase discs --smooth 10 --folds 0 --json --tolerance 0.01";
    let [plain, packed] =
        ["rows.svm", "rows.svm.zst"].map(|f| desk.json(&format!("fit --sparse {f} {arguments}")));
    assert_eq!(plain, packed);
    assert_eq!(plain["stop"], "converged");
    assert!(plain["weights"].as_array().unwrap().len() > 50_000);
}
