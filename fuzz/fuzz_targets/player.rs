//! Players and plans as text and as JSON; what is accepted is printed to
//! something that reads the same.
#![no_main]

use discern_arena::tournament::TournamentPlan;
use discern_players::{Plan, PlayerSpec, Shard, describe};
use discern_selfplay::{CorrectPlan, GeneratePlan, GrowPlan, LabelPlan};
use libfuzzer_sys::fuzz_target;

fn plan<J: discern_players::Job + PartialEq + std::fmt::Debug>(text: &str) -> Option<J> {
    let plan: Plan<J> = Plan::parse(text).ok()?;
    let again: Plan<J> = Plan::parse(&plan.text()).expect("our own plan");
    assert_eq!(again.name(), plan.name());
    assert_eq!(again.work, plan.work);
    let cut = plan.work.cut();
    for shard in [0, cut.shards - 1] {
        let units = cut.range(shard).len() as u64;
        assert!(units.checked_mul(plan.work.units_each()).is_some());
    }
    Some(plan.work)
}

fuzz_target!(|text: &str| {
    if let Ok(player) = text.parse::<PlayerSpec>() {
        let shown = player.to_string();
        assert_eq!(shown.parse::<PlayerSpec>().expect("our own text"), player, "{shown}");
        let _ = (player.check(), player.search_limits());
    }
    if let Ok(shard) = text.parse::<Shard>() {
        assert!(shard.range(1000).len() <= 1000);
    }
    if let Some(work) = plan::<TournamentPlan>(text) {
        let games = work.number_of_games();
        for number in [0, 1, games / 2, games - 1] {
            let fixture = work.fixture(number);
            assert!(fixture.black != fixture.white);
            assert!(work.numbers(work.shard_of(number)).contains(&number));
            assert!(fixture.opening < work.openings.len());
        }
    }
    let _ = (plan::<GeneratePlan>(text), plan::<CorrectPlan>(text), describe(text));
    let _ = (plan::<LabelPlan>(text), plan::<GrowPlan>(text));
});
