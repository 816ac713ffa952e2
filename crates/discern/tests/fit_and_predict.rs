//! `discern fit` and `discern predict` as a user runs them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const GOLDEN: &str = "../stats/tests/golden/";

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), contents).unwrap();
        self.path(name)
    }

    fn kalah(&self, games: u32) -> PathBuf {
        let mut table = Vec::new();
        crate::kalah::write_games(&mut table, games).unwrap();
        self.file("kalah.csv", table)
    }

    /// Runs `discern` in this directory with arguments split at blanks.
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

    /// The message of a command that must fail with this code.
    fn fail(&self, code: i32, arguments: &str) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
        errors
    }

    fn json(&self, arguments: &str) -> Vec<Value> {
        let lines = self.succeed(arguments);
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn golden_path(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN).join(name);
    path.to_str().unwrap().to_string()
}

fn near(found: &Value, expected: &Value) {
    let number = |value: &Value| match value {
        Value::String(digits) => digits.parse::<f64>().unwrap(),
        other => other.as_f64().unwrap(),
    };
    let (found, expected) = (number(found), number(expected));
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} is not {expected}");
}

#[test]
fn json_has_the_agreed_form_and_the_golden_numbers() {
    let desk = Desk::new();
    let text = std::fs::read_to_string(golden_path("golden-fit.json")).unwrap();
    let answers: Value = serde_json::from_str(&text).unwrap();
    let command = format!(
        "fit {} --label result --models log,fisher,quad --trials 100 --json",
        golden_path("golden-fit.csv")
    );
    let lines = desk.json(&command);
    let models: Vec<&str> = lines.iter().map(|line| line["model"].as_str().unwrap()).collect();
    assert_eq!(models, ["log", "fisher", "quad"]);
    let [log, fisher, quad] = &lines[..] else { panic!("three lines") };
    assert_eq!(log["phase"], Value::Null);
    assert_eq!(log["stop"], "converged");
    assert!(log["iterations"].as_u64().unwrap() <= 10);
    near(&log["log_likelihood"], &answers["log"]["loglik_kernel"]);
    for (j, name) in ["(intercept)", "x1", "x2", "x3"].into_iter().enumerate() {
        near(&log["coefficients"][name], &answers["log"]["beta"][j]);
        near(&log["standard_errors"][name], &answers["log"]["se_information"][j]);
        // Trials corrected: ten times as large for a hundred invented trials.
        let corrected = log["errors"]["corrected"][name].as_f64().unwrap();
        near(&(corrected / 10.0).into(), &answers["log"]["se_information"][j]);
        if j > 0 {
            near(&fisher["coefficients"][name], &answers["fisher"]["w"][j - 1]);
            near(&quad["linear"][j - 1], &answers["quad"]["b"][j - 1]);
            for i in 0..3 {
                near(&quad["quadratic"][j - 1][i], &answers["quad"]["A"][j - 1][i]);
            }
        }
    }
    near(&fisher["coefficients"]["(intercept)"], &answers["fisher"]["intercept"]);
    near(&quad["constant"], &answers["quad"]["c"]);
}

#[test]
fn a_phase_and_a_group_column_give_one_fit_per_phase_with_clustered_errors() {
    let desk = Desk::new();
    desk.kalah(400);
    let lines = desk.json(
        "fit kalah.csv --label result --phase stored --group game --exclude margin --window 8 --json",
    );
    assert_eq!(lines.len(), 18);
    for line in &lines {
        assert!(line["held_out"]["discordance"].as_f64().unwrap() < 0.5, "{line}");
        assert!(!line["calibration"].as_array().unwrap().is_empty());
        if line["model"] != "quad" {
            assert!(line["errors"]["clustered"]["store_lead"].as_f64().unwrap() > 0.0);
        }
    }
    let phases: Vec<i64> = lines.iter().map(|line| line["phase"].as_i64().unwrap()).collect();
    assert_eq!(&phases[..4], [0, 0, 0, 8]);
}

#[test]
fn the_summary_says_what_a_statistician_looks_for() {
    let desk = Desk::new();
    desk.kalah(60);
    let text = desk
        .succeed("fit kalah.csv --label result --group game --exclude margin,stored --diagnostics");
    for expected in [
        "60 groups",
        "LOG  logistic regression, n = 100 trials per row",
        "converged after",
        "log-likelihood",
        "AIC",
        "standard errors clustered by 60 groups",
        "95 % interval",
        "FISHER  linear discriminant",
        "QUAD  quadratic discriminant",
        "Box's M",
        "→ the class covariances",
        "var. inflation",
        "held-out rows, 5 folds of groups",
        "discordance",
    ] {
        assert!(text.contains(expected), "'{expected}' is missing in\n{text}");
    }
}

#[test]
fn a_table_beyond_the_memory_limit_is_streamed_with_the_same_result() {
    let desk = Desk::new();
    desk.kalah(80);
    let command =
        "fit kalah.csv --label result --score margin --phase stored --group game --window 8";
    let in_memory = desk.json(&format!("{command} --json"));
    let streamed = desk.json(&format!("{command} --json --memory 0"));
    assert!(desk.succeed(&format!("{command} --memory 0")).contains("read for each pass"));
    assert!(!desk.succeed(command).contains("read for each pass"));
    fn compare(a: &Value, b: &Value, path: &str) {
        match (a, b) {
            (Value::Number(x), Value::Number(y)) => {
                let (x, y) = (x.as_f64().unwrap(), y.as_f64().unwrap());
                assert!((x - y).abs() <= 1e-8 * x.abs().max(1e-6), "{path}: {x} and {y}");
            }
            (Value::Object(x), Value::Object(y)) => {
                assert_eq!(x.len(), y.len(), "{path}");
                x.iter().for_each(|(key, value)| compare(value, &y[key], &format!("{path}/{key}")));
            }
            (Value::Array(x), Value::Array(y)) => {
                assert_eq!(x.len(), y.len(), "{path}");
                x.iter().zip(y).for_each(|(a, b)| compare(a, b, path));
            }
            _ => assert_eq!(a, b, "{path}"),
        }
    }
    assert_eq!(in_memory.len(), 24);
    for (a, b) in in_memory.iter().zip(&streamed) {
        compare(a, b, &format!("{} {}", a["phase"], a["model"]));
    }
}

#[test]
fn every_number_of_threads_prints_the_same_bytes() {
    let desk = Desk::new();
    desk.kalah(200);
    let run = |threads: u32| {
        desk.succeed(&format!(
            "fit kalah.csv --label result --group game --exclude margin --json --threads {threads}"
        ))
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn a_compressed_table_is_the_same_table() {
    let desk = Desk::new();
    let plain = desk.kalah(30);
    let compressed = zstd::encode_all(&std::fs::read(&plain).unwrap()[..], 3).unwrap();
    desk.file("kalah.csv.zst", compressed);
    let fit =
        |name: &str| desk.json(&format!("fit {name} --label result --exclude margin,game --json"));
    assert_eq!(fit("kalah.csv"), fit("kalah.csv.zst"));
}

#[test]
fn counts_of_wins_out_of_games_are_a_label() {
    let desk = Desk::new();
    let mut table = "strength,wins,games\n".to_string();
    for row in 0..30 {
        let games = 5 + row % 4;
        table += &format!("{},{},{games}\n", f64::from(row) / 10.0, (row * games) / 30);
    }
    desk.file("duels.csv", table);
    let lines = desk.json("fit duels.csv --label wins --of games --models log --json");
    assert_eq!(lines[0]["stop"], "converged");
    assert_eq!(lines[0]["trials"], 1.0);
    assert_eq!(lines[0]["standard_errors"], lines[0]["errors"]["corrected"]);
    assert!(lines[0]["coefficients"]["strength"].as_f64().unwrap() > 0.5);
    desk.file("bad.csv", "x,wins,games\n1,2,3\n2,4,3\n");
    let message = desk.fail(1, "fit bad.csv --label wins --of games");
    assert_eq!(message, "discern: bad.csv, line 3: 4 successes out of 3 trials\n");
}

#[test]
fn results_may_be_counted_from_minus_one_to_one() {
    let desk = Desk::new();
    let table = |[won, drawn, lost]: [&str; 3]| -> String {
        let result = |row: i32| match row * 7 % 10 {
            0..4 => lost,
            4 => drawn,
            _ => won,
        };
        (0..60).map(|row| format!("{},{}\n", row * 3 % 7 + row / 20, result(row))).collect()
    };
    desk.file("words.csv", format!("x,result\n{}", table(["W", "D", "L"])));
    desk.file("signs.csv", format!("x,result\n{}", table(["1", "0", "-1"])));
    for memory in ["", " --memory 0"] {
        let fit = |name: &str| {
            desk.json(&format!(
                "fit {name} --label result --json --output m-{name} --force{memory}"
            ))
        };
        assert_eq!(fit("words.csv"), fit("signs.csv"));
    }
    let rate = |name: &str| {
        desk.succeed(&format!("predict m-words.csv {name} --label result --output o --force"))
    };
    assert_eq!(rate("words.csv"), rate("signs.csv"));
    desk.file("mixed.csv", "x,result\n1,W\n2,-1\n");
    let message = desk.fail(1, "fit mixed.csv --label result");
    assert!(message.starts_with("discern: mixed.csv, line 3: '-1' does not go with"), "{message}");
}

#[test]
fn log_likelihood_of_counts_has_the_binomial_coefficients() {
    let desk = Desk::new();
    // One trial each: no coefficients. Two of the same row joined: log 2 more
    // where one of the two is won.
    desk.file("single.csv", "x,wins,games\n0,1,1\n0,0,1\n1,1,1\n1,1,1\n2,1,1\n2,0,1\n");
    desk.file("joined.csv", "x,wins,games\n0,1,2\n1,2,2\n2,1,2\n");
    let fit = |name: &str| {
        let lines = desk.json(&format!("fit {name} --label wins --of games --models log --json"));
        ["log_likelihood", "aic"].map(|key| lines[0][key].as_f64().unwrap())
    };
    let (single, joined) = (fit("single.csv"), fit("joined.csv"));
    assert!((joined[0] - single[0] - 2.0 * 2f64.ln()).abs() < 1e-12);
    assert!((joined[1] - single[1] + 4.0 * 2f64.ln()).abs() < 1e-12);
}

#[test]
fn more_columns_than_rows_is_one_sentence_at_once() {
    let desk = Desk::new();
    let names: Vec<String> = (0..20_000).map(|column| format!("x{column}")).collect();
    let mut table = names.join(",") + ",result\n";
    for row in 0..20 {
        let cells: Vec<String> = (0..20_000).map(|c| (c * row % 17).to_string()).collect();
        table += &format!("{},{}\n", cells.join(","), ["W", "L"][row % 2]);
    }
    desk.file("wide.csv", table);
    let message = desk.fail(1, "fit wide.csv --label result");
    assert_eq!(message, "discern: wide.csv: 20 rows are too few for 20001 coefficients\n");
}

#[test]
fn bad_tables_get_one_sentence_with_file_line_and_reason() {
    let desk = Desk::new();
    let rows = |f: &dyn Fn(i32) -> String| -> String { (0..30).map(|row| f(row) + "\n").collect() };
    let outcome = |row: i32| if row * 7 % 10 > 4 { "W" } else { "L" };
    let tables: Vec<(&str, String, &str)> = vec![
        (
            "text",
            "x,result\n1,W\nabc,L\n".into(),
            "discern: t.csv, line 3, column 'x': 'abc' is not a number\n",
        ),
        (
            "nan",
            "x,result\nNaN,W\n".into(),
            "discern: t.csv, line 2, column 'x': 'NaN' is not a finite number\n",
        ),
        (
            "infinite",
            "x,result\n1,W\n\ninf,W\n".into(),
            "discern: t.csv, line 4, column 'x': 'inf' is not a finite number\n",
        ),
        (
            "label",
            "x,result\n1,W\n2,maybe\n".into(),
            "discern: t.csv, line 3: 'maybe' is not a result (win, draw, loss; W, D, L; 1, 0.5, 0; a share between; or 1, 0, -1)\n",
        ),
        ("no rows", "x,result\n".into(), "discern: t.csv: has no rows\n"),
        (
            "no column",
            "x,y\n1,2\n".into(),
            "discern: t.csv: there is no column 'result' (there are: x, y)\n",
        ),
        (
            "no features",
            "result\nW\nL\n".into(),
            "discern: t.csv: no column is left for the features\n",
        ),
        (
            "one class",
            format!("x,result\n{}", rows(&|row| format!("{row},W"))),
            "discern: no model could be fitted: log: there are no lost rows among 30: both classes are needed\n",
        ),
        (
            "constant",
            format!("x,c,result\n{}", rows(&|row| format!("{row},5,{}", outcome(row)))),
            "discern: no model could be fitted: log: feature 'c' is constant: leave it out\n",
        ),
        (
            "collinear",
            format!(
                "x,y,result\n{}",
                rows(&|row| format!("{row},{},{}", 3 - 2 * row, outcome(row)))
            ),
            "discern: no model could be fitted: log: the features are collinear: y = − 2·x + a constant; leave one of them out\n",
        ),
    ];
    for (what, table, expected) in tables {
        desk.file("t.csv", table);
        let message = desk.fail(1, "fit t.csv --label result --output none.json");
        assert_eq!(message, expected, "{what}");
        assert!(!desk.0.path().join("none.json").exists(), "{what}: a model was written");
    }
    desk.file("t.csv", "x,discs,result\n1,10.5,W\n");
    assert_eq!(
        desk.fail(1, "fit t.csv --label result --phase discs"),
        "discern: t.csv, line 2: phase 10.5 is not a whole number\n"
    );
    assert_eq!(
        desk.fail(1, "fit missing.csv --label result"),
        "discern: missing.csv: No such file or directory (os error 2)\n"
    );
    desk.file("t.csv", "x,result\n1,W\n2,L\n3,W\n");
    assert_eq!(
        desk.fail(1, "fit t.csv --label result --folds 4"),
        "discern: 4 folds of 3 rows: give at most that many\n"
    );
    desk.file("t.csv", "x,result\n1,W\n");
    assert!(desk.fail(1, "fit t.csv --label result --weight result").contains("two roles"));
}

#[test]
fn wrong_usage_exits_with_2() {
    let desk = Desk::new();
    desk.file("t.csv", "x,result\n1,W\n2,L\n");
    for arguments in [
        "fit t.csv",
        "fit --label result",
        "fit t.csv --label result --models ols",
        "fit t.csv --label result --models tree",
        "fit t.csv --label result --trials 2",
        "fit t.csv --label result --confidence 95",
        "fit t.csv --label result --ridge -1",
        "fit t.csv --label result --folds 1",
        "fit t.csv --label result --threads 0",
        "fit t.csv --label result --threads 18446744073709551615",
        "fit t.csv --label result --errors clustered",
        "fit t.csv --score x --models log",
        "predict t.csv",
    ] {
        assert!(!desk.fail(2, arguments).is_empty());
    }
}

#[test]
fn separation_is_called_by_its_name() {
    let desk = Desk::new();
    let table: String = (0..20)
        .map(|row| format!("{row},{},{}\n", row * 7 % 5, if row < 10 { "loss" } else { "win" }))
        .collect();
    desk.file("t.csv", format!("telling,noise,result\n{table}"));
    let output = desk.run("fit t.csv --label result --models log --trials 1 --json");
    assert_eq!(output.status.code(), Some(0));
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (line["stop"].as_str(), line["separated"].as_bool()),
        (Some("separated"), Some(true))
    );
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("perfect separation (telling"), "{message}");
    let output = desk.run("fit t.csv --label result --models log --json");
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (line["stop"].as_str(), line["separated"].as_bool()),
        (Some("converged"), Some(true))
    );
}

#[test]
fn a_phase_that_cannot_be_fitted_is_named_and_the_others_are_fitted() {
    let desk = Desk::new();
    let mut table = "x,discs,result\n".to_string();
    for row in 0..40 {
        table += &format!("{},20,{}\n", row % 7, if row * 3 % 8 > 3 { 1 } else { 0 });
        table += &format!("{},40,1\n", row % 7);
    }
    desk.file("t.csv", table);
    let output = desk.run("fit t.csv --label result --phase discs --json");
    assert_eq!(output.status.code(), Some(0));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("phase 40, log: there are no lost rows among 40"), "{message}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[0]["coefficients"]["x"].is_number());
    assert!(lines[3]["error"].as_str().unwrap().contains("no lost rows"));
}

#[test]
fn models_written_by_fit_predict_the_probabilities_of_their_equations() {
    let desk = Desk::new();
    desk.kalah(60);
    let lines = desk.json(
        "fit kalah.csv --label result --score margin --phase stored --exclude game --window 0 --json --output model.json",
    );
    let out = desk.succeed("predict model.json kalah.csv");
    let mut rows = csv::Reader::from_reader(out.as_bytes());
    let header = rows.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let features = ["store_lead", "seed_lead", "free_turns", "captures", "mobility"];
    let mut checked = 0;
    for row in rows.records() {
        let row = row.unwrap();
        let number = |name: &str| row[column(name)].parse::<f64>().unwrap();
        let line = |model: &str| {
            lines
                .iter()
                .find(|l| l["model"] == model && l["phase"].as_f64() == Some(number("stored")))
                .unwrap()
        };
        let logistic = |f: f64| 1.0 / (1.0 + (-f).exp());
        for model in ["log", "fisher"] {
            let b = &line(model)["coefficients"];
            let f = b["(intercept)"].as_f64().unwrap()
                + features.iter().map(|x| b[*x].as_f64().unwrap() * number(x)).sum::<f64>();
            assert!((number(&format!("p_{model}")) - logistic(f)).abs() < 1e-12);
        }
        let quad = line("quad");
        let mut f = quad["constant"].as_f64().unwrap();
        for i in 0..5 {
            f += quad["linear"][i].as_f64().unwrap() * number(features[i]);
            for j in 0..5 {
                let q = quad["quadratic"][i][j].as_f64().unwrap();
                f += q * number(features[i]) * number(features[j]);
            }
        }
        assert!((number("p_quad") - logistic(f)).abs() < 1e-10);
        let p = number("p_ols");
        assert_eq!(p > 0.5, number("score_ols") > 0.0);
        checked += 1;
    }
    assert!(checked > 1000);
    let only = desk.succeed("predict model.json kalah.csv --models log --json");
    let first: Value = serde_json::from_str(only.lines().next().unwrap()).unwrap();
    assert!(first["p_log"].is_number() && first.get("p_quad").is_none());
}

#[test]
fn predictions_are_compared_with_results_on_request() {
    let desk = Desk::new();
    desk.kalah(60);
    desk.succeed("fit kalah.csv --label result --exclude margin,game,stored --output model.json");
    let metrics =
        desk.succeed("predict model.json kalah.csv --label result --group game --output rated.csv");
    assert!(metrics.contains("discordance") && metrics.contains("LOG"), "{metrics}");
    let rated = std::fs::read_to_string(desk.path("rated.csv")).unwrap();
    let names = rated.lines().next().unwrap();
    assert!(names.ends_with("result,p_fisher,p_log,p_quad"), "{names}");
    // Only the features are needed.
    desk.file("new.csv", "mobility,captures,free_turns,seed_lead,store_lead\n1,0,0,0,1\n");
    assert!(desk.succeed("predict model.json new.csv").lines().count() == 2);
    desk.file("new.csv", "mobility,captures,free_turns,seed_lead\n1,0,0,0\n");
    assert!(desk.fail(1, "predict model.json new.csv").contains("no column 'store_lead'"));
}

#[test]
fn phases_without_a_model_use_the_nearest_and_say_so() {
    let desk = Desk::new();
    let mut table = "x,discs,result\n".to_string();
    for row in 0..40 {
        table += &format!("{},{},{}\n", row % 7, 20 + row % 2, if row * 3 % 8 > 3 { 1 } else { 0 });
    }
    desk.file("t.csv", table);
    desk.succeed("fit t.csv --label result --phase discs --output m.json");
    desk.file("new.csv", "x,discs\n3,21\n3,50\n");
    let output = desk.run("predict m.json new.csv --models log");
    let text = String::from_utf8(output.stdout).unwrap();
    let p: Vec<&str> = text.lines().skip(1).map(|l| l.rsplit(',').next().unwrap()).collect();
    assert_eq!(p[0], p[1]);
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "discern: 1 rows are of phases without a model; the nearest phase was used\n"
    );
}

#[test]
fn nothing_is_overwritten_without_force_and_failures_leave_nothing() {
    let desk = Desk::new();
    desk.kalah(20);
    desk.file("model.json", "precious");
    let fit = "fit kalah.csv --label result --exclude margin,game,stored --output model.json";
    let message = desk.fail(1, fit);
    assert_eq!(message, "discern: model.json: the file exists; --force replaces it\n");
    assert_eq!(std::fs::read_to_string(desk.path("model.json")).unwrap(), "precious");
    desk.succeed(&format!("{fit} --force"));
    desk.succeed("predict model.json kalah.csv --output rated.csv");
    assert!(
        desk.fail(1, "predict model.json kalah.csv --output rated.csv").contains("the file exists")
    );
    // A table that turns bad halfway leaves no half-written output behind.
    let good = std::fs::read_to_string(desk.path("kalah.csv")).unwrap();
    desk.file("bad.csv", good + "1,2,3\n");
    let before = std::fs::read_dir(desk.0.path()).unwrap().count();
    assert!(
        desk.fail(1, "predict model.json bad.csv --output new.csv").contains("3 cells where 9")
    );
    assert_eq!(std::fs::read_dir(desk.0.path()).unwrap().count(), before);
}

#[test]
fn foreign_and_damaged_model_files_are_refused_with_the_reason() {
    let desk = Desk::new();
    desk.kalah(20);
    desk.succeed("fit kalah.csv --label result --exclude margin,game,stored --output m.json");
    let whole = std::fs::read_to_string(desk.path("m.json")).unwrap();
    let cases = [
        ("hello".to_string(), "is not a discern-model file"),
        (whole[..whole.len() / 2].to_string(), "is not a discern-model file"),
        (whole.replace("discern-model", "recipe"), "is a 'recipe' file"),
        (whole.replace("\"version\": 1", "\"version\": 9"), "has version 9"),
        (whole.replace("\"count\": 3", "\"count\": 4"), "3 models where 4 are announced"),
        (whole.replacen("\"captures\":", "\"capture\":", 1), "is damaged"),
    ];
    for (text, expected) in cases {
        desk.file("bad.json", text);
        let message = desk.fail(1, "predict bad.json kalah.csv");
        assert!(
            message.starts_with("discern: bad.json: ") && message.contains(expected),
            "{message}"
        );
    }
}

#[test]
fn plots_are_drawn_for_calibration_and_densities() {
    let desk = Desk::new();
    desk.kalah(60);
    desk.succeed("fit kalah.csv --label result --group game --exclude margin,stored --plots p");
    for name in ["calibration", "density-value", "density-captures", "winning-store_lead"] {
        let svg = std::fs::read_to_string(desk.path(&format!("p/{name}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let desk = Desk::new();
    desk.kalah(200);
    desk.succeed("fit kalah.csv --label result --exclude margin,game,stored --output m.json");
    for arguments in ["predict m.json kalah.csv", "predict m.json kalah.csv --json"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_discern"))
            .args(arguments.split_whitespace())
            .current_dir(desk.0.path())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    }
}
