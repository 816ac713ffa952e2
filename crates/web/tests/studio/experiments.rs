//! Reproductions and tournaments from the user's folders.

use std::path::PathBuf;
use std::sync::Arc;

use discern_arena::Rules;
use discern_arena::player::EnginePlayer;
use discern_arena::tournament::{Contestant, Halt, Plan, Results, Schedule, Tournament};
use discern_board::Game;
use discern_records::archive::ArchiveWriter;
use discern_records::{GameRecord, Limits};
use discern_report::reproduction::{Database, Densities, Quality, Reproduction, Run, WinningCurve};
use discern_search::{AnyEvaluator, Options};

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

/// Plays a small tournament of three, or goes on with it, up to so many
/// pairs in each pairing.
fn play(path: &std::path::Path, pairs: u64) {
    let contestant = |depth: u32| Contestant {
        name: format!("depth-{depth}"),
        description: "material".into(),
        limits: Limits::depth(depth),
        build: Arc::new(|| {
            let options = Options { threads: 1, table_mebibytes: 1 };
            let engine = AnyEvaluator::Material.engine(options)?;
            Ok(Box::new(EnginePlayer::new(engine, None)))
        }),
    };
    let plan = Plan {
        contestants: [1, 2, 3].map(contestant).into(),
        schedule: Schedule::RoundRobin,
        openings: ["f5d6c3", "f5f6e6"].map(|text| text.parse::<Game>().unwrap()).into(),
        pairs: 4,
        rules: Rules::default(),
    };
    let mut archive = ArchiveWriter::open_or_create(path).unwrap();
    let mut results = Results::load(path, &plan).unwrap();
    let halt = Halt::new();
    let mut tournament = Tournament {
        plan: &plan,
        concurrency: 1,
        restart: false,
        sprt: None,
        archive: Some(&mut archive),
        halt: &halt,
    };
    let enough = 2 * pairs * plan.pairings().len() as u64;
    tournament
        .run(&mut results, |finished| {
            if finished.results.len() >= enough {
                halt.finish();
            }
        })
        .unwrap();
}

/// The smallest reproduction.
pub fn reproduction() -> Reproduction {
    Reproduction {
        format: discern_report::reproduction::FORMAT,
        run: Run {
            command: "discern reproduce".into(),
            program: "discern".into(),
            preset: "quick".into(),
            seconds_for_thirty_minutes: 1.5,
            openings: 2,
            started: "2026-01-31T12:00:00Z".into(),
            finished: "2026-01-31T13:00:00Z".into(),
            seconds: 3600.0,
            machine: "a machine".into(),
            concurrency: 2,
            seed: 1,
            files: Vec::new(),
        },
        database: Database {
            games: 3,
            tree_nodes: 100,
            transpositions: 1,
            positions: 90,
            draws: 2,
            changed_by_solving: 0,
            changed_by_correction: 0,
            changed_by_propagation: 0,
            phases: Vec::new(),
        },
        densities: Densities { feature: "MOB".into(), discs: [20, 24], bins: Vec::new() },
        winning_curve: WinningCurve {
            feature: "MOB".into(),
            discs: [20, 24],
            bins: Vec::new(),
            curve: vec![[0.0, 0.5]],
        },
        fits: Vec::new(),
        quality: Quality {
            training_positions: 80,
            test_positions: 10,
            duplicates: 0,
            evidence: "crossed".into(),
            models: Vec::new(),
            gaps: Vec::new(),
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
                assert_eq!(shown["reproduction"]["run"]["preset"], "quick");
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
    std::fs::write(folder.path().join("broken.games"), "discern games 1\nrubbish").unwrap();
    std::fs::write(folder.path().join("numbers.json"), "{}").unwrap();
    let server = Server::with(bounds(), vec![folder.path(), folder.path().join("nowhere")]);
    let listing = server.get("/api/experiments").ok();
    let faults = listing["faults"].as_array().unwrap();
    assert!(faults.iter().any(|fault| fault.as_str().unwrap().contains("nowhere")), "{listing:#}");
    let mut refused = 0;
    for run in listing["runs"].as_array().unwrap() {
        let id = run["id"].as_str().unwrap();
        let shown = server.get(&format!("/api/experiments/{id}"));
        if shown.status != 200 {
            assert!(shown.refusal(404).contains("not a reproduction"));
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
