//! Reproductions and tournaments from the user's folders.

use std::path::PathBuf;

use discern_arena::tournament::{Resumed, Schedule, Tournament, TournamentPlan};
use discern_experiment::{
    Allowance, Densities, FORMAT, HeldOut, Preset, Reproduction, Run, WinningCurve,
};
use discern_learn::TreeCounts;
use discern_players::{Halt, Openings, Plan, Rules, WeightStore};
use discern_records::GameRecord;
use discern_records::archive::ArchiveWriter;
use serde_json::{Value, json};

use crate::server::{Server, bounds};

/// A folder of runs for the time of a test.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// A reproduction, a tournament, a games file that is no tournament, and
    /// rubbish.
    pub fn with_runs() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let path = folder.path();
        std::fs::create_dir(path.join("again")).unwrap();
        let numbers = serde_json::to_vec(&reproduction()).unwrap();
        std::fs::write(path.join("again/numbers.json"), numbers).unwrap();
        play(&path.join("match.games"), 2);
        let mut other = ArchiveWriter::create(path.join("other.games")).unwrap();
        other.append(&GameRecord::new("f5d6".parse().unwrap())).unwrap();
        other.commit().unwrap();
        std::fs::write(path.join("notes.txt"), "not a run").unwrap();
        folder
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    pub fn tournament_id(&self, server: &Server) -> String {
        let runs = server.get("/api/experiments").ok();
        let runs = runs["runs"].as_array().unwrap();
        let run = runs.iter().find(|run| run["kind"] == "tournament").expect("a tournament");
        run["id"].as_str().unwrap().to_owned()
    }
}

/// Plays a small tournament of three, or resumes it, up to so many pairs in
/// each pairing.
fn play(path: &std::path::Path, pairs: u64) {
    let player = |depth: u32| format!("material,name=depth-{depth},depth={depth},hash=1");
    let openings = ["f5d6c3", "f5f6e6"].map(|text| text.parse().unwrap());
    let plan = Plan::new(TournamentPlan {
        players: [1, 2, 3].map(|depth| player(depth).parse().unwrap()).into(),
        schedule: Schedule::RoundRobin,
        openings: Openings::Games(openings.into()),
        pairs: 4,
        rules: Rules::default(),
        seed: 1,
        shards: 1,
    });
    let Resumed { mut archive, plan, mut results } = Resumed::open(path, &plan, false).unwrap();
    let halt = Halt::new();
    let mut tournament = Tournament {
        plan: &plan,
        store: &WeightStore::new(),
        concurrency: 1,
        restart: false,
        sprt: None,
        archive: Some(&mut archive),
        halt: &halt,
    };
    let enough = 2 * pairs * plan.work.pairings().len() as u64;
    tournament
        .run(&mut results, |finished| {
            if finished.results.len() >= enough {
                halt.finish();
            }
        })
        .unwrap();
}

/// The smallest reproduction.
fn reproduction() -> Reproduction {
    Reproduction {
        format: FORMAT,
        run: Run {
            command: "discern reproduce".into(),
            program: "discern".into(),
            preset: Preset::Quick,
            thirty_minutes: Allowance::Seconds(1.5),
            openings: 2,
            started: "2026-01-31T12:00:00Z".into(),
            finished: "2026-01-31T13:00:00Z".into(),
            seconds: 3600.0,
            machine: "a machine".into(),
            load: None,
            concurrency: 2,
            seed: 1,
            files: Vec::new(),
        },
        database: TreeCounts { games: 3, nodes: 100, ..TreeCounts::default() },
        densities: Densities { feature: "MOB".into(), discs: [20, 24], bins: Vec::new() },
        winning_curve: WinningCurve {
            feature: "MOB".into(),
            discs: [20, 24],
            bins: Vec::new(),
            curve: vec![[0.0, 0.5]],
        },
        fits: Vec::new(),
        quality: HeldOut {
            training_positions: 80,
            test_positions: 10,
            duplicates: 0,
            evidence: "crossed".into(),
            models: Vec::new(),
            gaps: Vec::new(),
            singles: Vec::new(),
        },
        speed: Vec::new(),
        table: Vec::new(),
        balanced_openings: 0,
        equal_strength: Vec::new(),
        findings: Vec::new(),
    }
}

#[test]
fn runs_are_found_and_shown() {
    let folder = Folder::with_runs();
    // A folder given twice shows its runs once.
    let server = Server::with(bounds(), vec![folder.path(), folder.path()]);
    let listing = server.get("/api/experiments").ok();
    let runs: Vec<_> = listing["runs"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|run| !run["updated"].is_null())
        .collect();
    assert_eq!(runs.len(), 2, "{listing:#}");
    for run in runs {
        let shown = server.get(&format!("/api/experiments/{}", run["id"].as_str().unwrap())).ok();
        assert_eq!((&shown["kind"], &shown["title"]), (&run["kind"], &run["title"]));
        match run["kind"].as_str() {
            Some("reproduction") => {
                assert_eq!(run["title"], "again");
                assert_eq!(shown["facts"][0], json!({"name": "Preset", "value": "quick"}));
                let sections = shown["sections"].as_array().unwrap();
                let section = |id: &str| sections.iter().find(|s| s["id"] == id).unwrap();
                assert!(section("run")["html"].as_str().unwrap().contains("a machine"));
                assert_eq!(section("curve")["title"], "The S-curve");
            }
            _ => {
                assert_eq!((&run["title"], &run["running"]), (&"match".into(), &true.into()));
                // A game in hand was finished after the twelfth.
                assert!((12..=13).contains(&shown["games"].as_u64().unwrap()));
                let names: Vec<_> =
                    shown["players"].as_array().unwrap().iter().map(|p| &p["name"]).collect();
                assert_eq!(names, ["depth-1", "depth-2", "depth-3"]);
                let matches = shown["matches"].as_array().unwrap();
                assert_eq!(matches.len(), 3);
                assert!(matches.iter().all(|game| game["pairs"] == 2));
            }
        }
    }
}

#[test]
fn a_running_tournament_is_followed() {
    let folder = Folder::with_runs();
    let server = Server::with(bounds(), vec![folder.path()]);
    let id = folder.tournament_id(&server);
    let mut live = server.client().events(&format!("/api/experiments/{id}/live"));
    let (name, table) = live.next().unwrap();
    assert!(name == "table" && table["games"].as_u64() < Some(24), "{table}");
    play(&folder.path().join("match.games"), 4);
    let games = live.map(|(_, table)| table["games"].as_u64().unwrap()).find(|&games| games == 24);
    assert_eq!(games, Some(24));
}

#[test]
fn damaged_files_are_named_and_do_no_harm() {
    let folder = Folder::with_runs();
    std::fs::write(folder.path().join("broken.games"), "discern games 3\nrubbish").unwrap();
    std::fs::write(folder.path().join("numbers.json"), "{}").unwrap();
    // Whoever opened this one would wait for ever.
    let pipe = folder.path().join("pipe.games");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let server = Server::with(bounds(), vec![folder.path(), folder.path().join("nowhere")]);
    let listing = server.get("/api/experiments").ok();
    let faults = listing["faults"].as_array().unwrap();
    let named = |fault: &Value, file: &str| fault["file"].as_str().unwrap().ends_with(file);
    assert!(faults.iter().any(|fault| named(fault, "nowhere")), "{listing:#}");
    let mut refused = 0;
    for run in listing["runs"].as_array().unwrap() {
        let id = run["id"].as_str().unwrap();
        let shown = server.get(&format!("/api/experiments/{id}"));
        if shown.status != 200 {
            assert!(shown.refusal(404).contains("not the numbers of a reproduction"));
            refused += 1;
        }
    }
    assert_eq!(refused, 1);
}

#[test]
fn what_is_not_listed_is_not_there() {
    let folder = Folder::with_runs();
    let server = Server::with(bounds(), vec![folder.path()]);
    server.get("/api/experiments/match.games").refusal(404);
    server.get("/api/experiments/x").refusal(404);
    server.get("/api/experiments/x/live").refusal(404);
}

#[test]
fn what_the_report_draws_has_its_style_sheet() {
    let server = Server::with(bounds(), Vec::new());
    let sheet = server.get("/report.css");
    assert_eq!(sheet.status, 200);
    let text = String::from_utf8_lossy(&sheet.body).into_owned();
    assert!(text.contains(".report table") && text.contains("light-dark("), "{text}");
}
