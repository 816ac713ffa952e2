//! Books grown by plan: any order, any cut, the same entries.

use std::path::Path;

use discern_board::Board;
use discern_book::{Crew, Entry, Growth, Judge, Workshop, search_wanting, united};
use discern_players::{Crew as Pool, Halt, Openings, RunFolder, WeightStore, run_missing};
use discern_selfplay::GrowPlan;

fn plan(roots: Openings, shards: u32) -> GrowPlan {
    let mut player: discern_players::PlayerSpec = "rev,depth=2,outcome=8,score=6".parse().unwrap();
    player.fill(&GrowPlan::DEFAULTS);
    WeightStore::new().settle(&mut player).unwrap();
    GrowPlan { player, roots, positions: 25, toll: 400, seed: 1, shards }
}

/// Makes these shards in this order.
fn grown(path: &Path, plan: &GrowPlan, shards: &[u32], threads: usize) -> RunFolder<GrowPlan> {
    let folder = RunFolder::create(path, plan.clone(), &WeightStore::new(), false).unwrap();
    let crew = Pool { threads, restart: false, halt: &Halt::new() };
    run_missing(&folder, shards, crew, &|_| {}).unwrap();
    folder
}

/// The book of these entries, whatever was searched to complete it.
fn book(path: &Path, plan: &GrowPlan, entries: Vec<Entry>) -> Vec<u8> {
    let mut workshop = Workshop::open(path).unwrap();
    let entries = united(workshop.graph(), entries);
    workshop.change(entries, Vec::new()).unwrap();
    let judge = Box::new(plan.judge(&WeightStore::new()).unwrap()) as Box<dyn Judge>;
    let mut crew = Crew { judges: vec![judge], stop: &|| false };
    assert!(search_wanting(&mut workshop, &mut crew, &mut |_| {}).unwrap());
    workshop.finish().unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn no_order_of_shards_and_no_cut_changes_a_byte_of_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let roots = Openings::Distinct { plies: 4, count: Some(9) };
    let (four, one) = (plan(roots.clone(), 4), plan(roots, 1));
    let forwards = grown(&at("a"), &four, &[0, 1, 2, 3], 1);
    let backwards = grown(&at("b"), &four, &[3, 1, 2, 0], 2);
    for shard in 0..4 {
        let bytes = |folder: &RunFolder<GrowPlan>| std::fs::read(folder.games_path(shard)).unwrap();
        assert!(bytes(&forwards) == bytes(&backwards));
    }
    let whole = grown(&at("c"), &one, &[0], 1);
    let entries = |folder| GrowPlan::entries(folder).unwrap();
    let mut turned = entries(&backwards);
    turned.reverse();
    let first = book(&at("a.book"), &four, entries(&forwards));
    assert!(first == book(&at("b.book"), &four, turned));
    assert!(first == book(&at("c.book"), &one, entries(&whole)));
    // Entering the same again changes nothing, as after an interruption.
    assert!(first == book(&at("a.book"), &four, entries(&forwards)));
}

#[test]
fn a_root_grows_to_what_it_grows_to_in_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let games = discern_players::openings::distinct(5);
    // A position without moves before it has no stem.
    let root = discern_board::Game::new(games[17].position());
    let plan = plan(Openings::Games(vec![root.clone()]), 1);
    let shards = grown(&folder.path().join("plan"), &plan, &[0], 1);
    let judge = Box::new(plan.judge(&WeightStore::new()).unwrap()) as Box<dyn Judge>;
    let mut workshop = Workshop::in_memory();
    let growth = Growth {
        roots: vec![root.position().board],
        toll: plan.toll,
        least_empties: 8,
        positions: plan.positions as usize,
    };
    let mut crew = Crew { judges: vec![judge], stop: &|| false };
    growth.grow(&mut workshop, &mut crew, |_| {}).unwrap();
    let expected: Vec<Entry> =
        workshop.graph().sorted().into_iter().map(|node| *node.entry()).collect();
    assert_eq!(expected.len(), 25);
    assert_eq!(GrowPlan::entries(&shards).unwrap(), expected);
}

#[test]
fn the_stem_leads_from_the_start_to_every_root() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(Openings::Distinct { plies: 3, count: Some(2) }, 2);
    let entries = GrowPlan::entries(&grown(&folder.path().join("p"), &plan, &[1, 0], 1)).unwrap();
    let has = |board: &Board| entries.iter().any(|entry| entry.board == board.canonical());
    for game in plan.roots.list(plan.seed) {
        assert!(game.boards().all(|board| has(&board)));
    }
    // Two of three answers are not in the book: somebody looked for the best.
    let start = entries.iter().find(|entry| entry.board == Board::START.canonical()).unwrap();
    assert_eq!(start.deviation, None, "its only move is examined");
}
