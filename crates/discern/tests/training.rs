//! The direct model: from games with evaluations, and from nothing.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What the program printed, and its complaints.
fn at(folder: &Path, args: &[&str]) -> Result<String, String> {
    let program = env!("CARGO_BIN_EXE_discern");
    let output = Command::new(program).args(args).current_dir(folder).output().unwrap();
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap()),
        false => Err(String::from_utf8(output.stderr).unwrap()),
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn games_with_evaluations_teach_a_model_that_is_then_calibrated() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| at(folder.path(), args).unwrap();
    let player = "rev,depth=1";
    let plan = ["generate", "plan", "g", "--player", player, "--player", player];
    let stray = ["--chance", "100", "--margin", "60000", "--plies", "5", "--rounds", "2"];
    run(&[&plan[..], &stray, &["--solve", "10", "--evaluations"]].concat());
    run(&["generate", "run", "g"]);
    run(&["generate", "merge", "g", "-o", "g.games"]);
    let fit = ["fit", "--games", "g.games", "--features", "R1,D8,TRI", "--output", "a.weights"];
    run(&fit);
    let again = at(folder.path(), &fit).unwrap_err();
    assert!(again.contains("a.weights: the file exists; --force"), "{again}");

    run(&["classify", "g.games", "-o", "g.positions"]);
    let calibrate = ["calibrate", "a.weights", "--positions", "g.positions"];
    let rest = ["--sample", "30", "--output", "b.weights", "--json"];
    let text = run(&[&calibrate[..], &rest].concat());
    let phases: Vec<_> = text.lines().map(json).collect();
    assert_eq!(phases.len(), discern_eval::PHASES);
    let spread = |discs: usize| phases[discs - discern_eval::FIRST_PHASE]["spread"].as_f64();
    assert!(spread(30).unwrap() > 0.01 && spread(30) != spread(45));

    let values = |weights: &str| {
        let args = ["analyze", "f5d6c3", "--depth", "2", "--json", "--weights", weights];
        json(&run(&args))["moves"].take()
    };
    assert_eq!(values("a.weights"), values("b.weights"), "the odds stay");
    let none =
        at(folder.path(), &["fit", "--games", "g.games", "--hindsight", "2", "--output", "c"]);
    assert!(none.unwrap_err().contains("a number from 0 to 1"));
}

#[test]
fn a_training_prints_each_generation_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let small = ["--games", "200", "--depth", "2", "--features", "R1,D8", "--pairs", "1"];
    let train = |generations: &str, more: &[&str]| {
        let args = ["train", "mine", "--json", "--generations", generations];
        at(folder.path(), &[&args, more].concat())
    };
    let first = train("1", &[&small[..], &["--nodes", "100"]].concat()).unwrap();
    assert_eq!(first.lines().count(), 1, "{first}");
    // The folder knows the settings.
    let both = train("2", &[]).unwrap();
    let numbers: Vec<_> = both.lines().map(|line| json(line)["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2]);
    assert_eq!(both.lines().next(), first.lines().next());
    let refused = train("2", &["--depth", "3"]).unwrap_err();
    assert!(refused.contains("begun with other settings"), "{refused}");
}
