//! Tournaments: numbered games, any number of workers, interruptions.

use std::error::Error;

use discern_arena::stats::{Sprt, SprtModel};
use discern_arena::tournament::{
    Conclusion, Results, Resumed, Schedule, Standings, Tournament, TournamentPlan,
};
use discern_players::{Halt, Job, Openings, Plan, Rules, Site, WeightStore};
use discern_records::archive::ArchiveWriter;
use discern_records::{GameRecord, Limits};

fn plan(players: usize, schedule: Schedule, pairs: u64) -> TournamentPlan {
    let player = |index: usize| {
        let name = ["a", "b", "c", "d"][index];
        format!("material,name={name},hash=1,depth={}", index + 1).parse().unwrap()
    };
    let openings = ["f5d6c3", "f5f6e6", "f5d6c4"].map(|text| text.parse().unwrap());
    TournamentPlan {
        players: (0..players).map(player).collect(),
        schedule,
        openings: Openings::Games(openings.into()),
        pairs,
        rules: Rules::default(),
        seed: 1,
        shards: 1,
    }
}

#[test]
fn everybody_meets_everybody_with_both_colours_from_every_opening() {
    let plan = plan(4, Schedule::RoundRobin, 3);
    assert_eq!((plan.pairings().len(), plan.number_of_games()), (6, 36));
    let mut met = std::collections::BTreeSet::new();
    for number in 0..plan.number_of_games() {
        let fixture = plan.fixture(number);
        assert_eq!(fixture.number, number);
        assert!(met.insert((fixture.black, fixture.white, fixture.opening)));
    }
    assert_eq!(met.len(), 4 * 3 * 3);
}

#[test]
fn in_a_gauntlet_only_the_first_meets_all() {
    let plan = plan(4, Schedule::Gauntlet, 1);
    assert_eq!(plan.pairings(), [(0, 1), (0, 2), (0, 3)]);
}

#[test]
fn whatever_changes_the_games_changes_the_name() {
    let original = plan(2, Schedule::RoundRobin, 3);
    let name = |plan: &TournamentPlan| Plan::new(plan.clone()).name();
    assert_eq!(name(&original), name(&plan(2, Schedule::RoundRobin, 3)));
    let mut others = vec![plan(3, Schedule::RoundRobin, 3), plan(2, Schedule::RoundRobin, 2)];
    let mut changed = |change: &dyn Fn(&mut TournamentPlan)| {
        let mut plan = original.clone();
        change(&mut plan);
        others.push(plan);
    };
    changed(&|plan| plan.players[0].limits = Limits::depth(9));
    changed(&|plan| plan.players[1].name.push('x'));
    changed(&|plan| plan.openings = Openings::Distinct { plies: 4, count: None });
    changed(&|plan| plan.rules.adjudicate_empties = Some(5));
    changed(&|plan| plan.seed = 2);
    for other in others {
        assert_ne!(name(&other), name(&original));
    }
}

#[test]
fn a_plan_survives_being_written_down() {
    let plan = Plan::new(plan(3, Schedule::Gauntlet, 2));
    let text = plan.text();
    let read: Plan<TournamentPlan> = Plan::parse(&text).unwrap();
    assert_eq!((read.text(), read.name()), (text.clone(), plan.name()));
    assert_eq!(read, plan);
    // Keys in alphabetical order and no blanks: anybody can hash it.
    assert!(text.starts_with("{\"build\":{\"commit\":"), "{text}");
    assert_eq!(discern_players::format_of(&text).as_deref(), Some(TournamentPlan::FORMAT));
}

#[test]
fn pairs_stay_together_and_shards_cover_all_games() {
    let plan = TournamentPlan { shards: 4, ..plan(3, Schedule::RoundRobin, 3) };
    plan.check().unwrap();
    let all: Vec<u64> = (0..4).flat_map(|shard| plan.numbers(shard)).collect();
    assert!(all.iter().copied().eq(0..plan.number_of_games()));
    for number in all {
        assert!(plan.numbers(plan.shard_of(number)).contains(&number));
        assert_eq!(plan.shard_of(number), plan.shard_of(number ^ 1));
    }
    let many = TournamentPlan { shards: 10, ..plan };
    assert_eq!(many.check().unwrap_err().to_string(), "10 shards for 9 pairs of games, at most 9");
}

#[test]
fn shards_are_played_without_times() {
    let plan = TournamentPlan { shards: 3, ..plan(2, Schedule::RoundRobin, 3) };
    let (store, halt) = (WeightStore::new(), Halt::new());
    let folder = std::path::Path::new(".");
    let site = Site { plan: "p".into(), folder, store: &store, restart: false, halt: &halt };
    let mut worker = plan.worker(&site).unwrap();
    let games = plan.shard(&mut worker, &site, 1, &mut |_| {}).unwrap();
    assert_eq!(games.len(), 2);
    assert!(games.iter().flat_map(|game| &game.notes).all(|note| note.time_ms.is_none()));
    assert!(games.iter().flat_map(|game| &game.notes).any(|note| note.nodes.is_some()));
    assert_eq!(games[1].source.as_ref().unwrap().game, 3);
}

fn run(plan: &TournamentPlan, concurrency: usize, sprt: Option<Sprt>) -> (Conclusion, Results) {
    let mut results = Results::default();
    let (plan, store, halt) = (&Plan::new(plan.clone()), &WeightStore::new(), &Halt::new());
    let (restart, archive) = (false, None);
    let mut tournament = Tournament { plan, store, concurrency, restart, sprt, archive, halt };
    let conclusion = tournament.run(&mut results, |_| {}).unwrap();
    (conclusion, results)
}

/// The table without times, which never repeat.
fn table(plan: &TournamentPlan, results: &Results) -> String {
    let standings = Standings::new(plan, results, None);
    let tallies: Vec<_> = standings.players.iter().map(|player| player.tally).collect();
    format!("{tallies:?} {:?} {:?}", standings.matches, standings.ratings)
}

#[test]
fn any_number_of_workers_gives_the_same_table() {
    let plan = plan(3, Schedule::RoundRobin, 3);
    let (conclusion, one) = run(&plan, 1, None);
    let (_, three) = run(&plan, 3, None);
    assert_eq!((conclusion, one.len()), (Conclusion::Complete, 18));
    assert_eq!(table(&plan, &one), table(&plan, &three));
}

#[test]
fn a_halted_tournament_resumes_where_it_stopped() {
    let work = plan(2, Schedule::RoundRobin, 3);
    let plan = Plan::new(work.clone());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.games");
    let undisturbed = run(&work, 1, None).1;
    let mut sessions = 0;
    loop {
        let mut resumed = Resumed::open(&path, &plan, false).unwrap();
        let before = resumed.results.len();
        let halt = Halt::new();
        let mut tournament = Tournament {
            plan: &resumed.plan,
            store: &WeightStore::new(),
            concurrency: 1,
            restart: false,
            sprt: None,
            archive: Some(&mut resumed.archive),
            halt: &halt,
        };
        let conclusion = tournament.run(&mut resumed.results, |_| halt.finish()).unwrap();
        sessions += 1;
        assert!(resumed.results.len() > before, "every session gets on");
        if conclusion == Conclusion::Complete {
            break;
        }
        assert_eq!(conclusion, Conclusion::Halted);
    }
    assert!((3..=6).contains(&sessions), "{sessions}");
    let loaded = Results::load(&path, &plan).unwrap();
    assert_eq!(table(&work, &loaded), table(&work, &undisturbed));

    let refused = |change: &dyn Fn(&mut TournamentPlan)| {
        let mut work = work.clone();
        change(&mut work);
        Resumed::open(&path, &Plan::new(work), false).err().unwrap().to_string()
    };
    assert_eq!(
        refused(&|plan| {
            plan.pairs = 2;
            plan.players[1] = "material,name=b,hash=1,nodes=9".parse().unwrap();
        }),
        "begun with other settings: pairs 3 there, 2 here; \
         players b depth 2 there, not set here; players b nodes not set there, 9 here"
    );
    let mut other = plan.clone();
    other.build.commit = "cafe".into();
    let path = folder.path().join("other.games");
    ArchiveWriter::create(&path).unwrap().add_plan(&other.text()).unwrap();
    let said = Resumed::open(&path, &plan, false).err().unwrap().to_string();
    assert!(said.contains("commit cafe") && said.contains("--other-build"), "{said}");
    let resumed = Resumed::open(&path, &plan, true).unwrap();
    assert_eq!(resumed.plan, other, "the plan is that of the build that began");
}

#[test]
fn games_without_a_plan_belong_to_no_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.games");
    let mut archive = ArchiveWriter::create(&path).unwrap();
    archive.append(&GameRecord::new("f5d6".parse().unwrap())).unwrap();
    archive.commit().unwrap();
    drop(archive);
    let plan = Plan::new(plan(2, Schedule::RoundRobin, 3));
    let said = Resumed::open(&path, &plan, false).err().unwrap().to_string();
    assert_eq!(said, "the archive has 1 game but no plan: it is no tournament");
}

#[test]
fn a_death_without_restart_ends_the_tournament() {
    let mut plan = plan(2, Schedule::RoundRobin, 2);
    plan.players[1] = "name=b,cmd='sh -c \"exit 3\"'".parse().unwrap();
    let (conclusion, results) = run(&plan, 1, None);
    assert!(matches!(conclusion, Conclusion::PlayerDied { player: 1, .. }), "{conclusion:?}");
    assert_eq!(results.len(), 1);
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_with_any_number_of_workers() {
    let mut plan = plan(2, Schedule::RoundRobin, 60);
    plan.players.swap(0, 1);
    let sprt = Sprt { elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05, model: SprtModel::Logistic };
    let (one, _) = run(&plan, 1, Some(sprt));
    let (two, _) = run(&plan, 2, Some(sprt));
    assert!(matches!(one, Conclusion::Decided(result) if result.pairs < 60), "{one:?}");
    assert_eq!(one, two);
}

#[test]
fn a_player_that_cannot_be_made_is_named() {
    let mut plan = plan(2, Schedule::RoundRobin, 1);
    plan.players[1] = "name=b,cmd=/nonexistent/engine".parse().unwrap();
    let plan = Plan::new(plan);
    let mut tournament = Tournament {
        plan: &plan,
        store: &WeightStore::new(),
        concurrency: 2,
        restart: false,
        sprt: None,
        archive: None,
        halt: &Halt::new(),
    };
    let error = tournament.run(&mut Results::default(), |_| {}).unwrap_err();
    let source = Error::source(&error).map(ToString::to_string);
    assert_eq!(error.to_string(), "b");
    assert_eq!(source.as_deref(), Some("cannot start '/nonexistent/engine'"));
}
