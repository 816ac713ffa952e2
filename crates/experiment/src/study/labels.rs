//! What each step of Section 3 is worth: LOG fitted to the same positions with
//! the labels that each step would leave, and to fewer openings, judged on
//! positions that were solved.

use std::collections::HashSet;

use discern_board::Outcome;
use discern_eval::{Evaluator, Rev};
use discern_learn::{
    ClassifiedPosition, LabelSource, LabelSteps, LabelledPosition, deal, fit_named,
};

use super::Result;
use super::candidates::{Candidates, Wanted, fit_all};
use crate::error::ExperimentError;
use crate::event::Event;
use crate::folder::Folder;
use crate::learning::TEST_SHARE;

/// Discs of the position by which games are grouped.
const OPENING_DISCS: u32 = 11;
/// An opening is well played if the hand-set heuristics see neither side beyond
/// these log-odds. They learned from no game of the database.
const EVEN: f64 = 0.5;

/// A way to label: its name, what people call it, what it is, and the outcome.
type Step = (&'static str, &'static str, &'static str, fn(&LabelSteps) -> Option<Outcome>);

const STEPS: [Step; 4] = [
    ("results", "RESULTS", "labels by the results of the games alone", |steps| steps.by_games),
    ("outcomes", "OUTCOMES", "with solved outcomes in place of what followed", |steps| {
        steps.by_solving
    }),
    ("negamax", "NEGAMAX", "results propagated by NegaMax in the tree of all games", |steps| {
        steps.by_propagation
    }),
    ("corrected", "CORRECTED", "the same with the corrected games: what ships", |steps| {
        Some(steps.by_correction)
    }),
];

pub(super) fn candidates(
    labelled: &[LabelledPosition],
    seed: u64,
    folder: &mut Folder,
    watch: &mut dyn FnMut(Event),
) -> Result<Candidates> {
    let held = |group: u32| deal(group, seed) < TEST_SHARE;
    let test: Vec<ClassifiedPosition> = labelled
        .iter()
        .filter(|l| l.source == LabelSource::Solved && !l.position.shared && held(l.position.group))
        .map(|l| l.position)
        .collect();
    if test.is_empty() {
        let why = "no position of the held-out games was solved".to_owned();
        return Err(ExperimentError::TooFewGames(why));
    }
    let with = |label: fn(&LabelSteps) -> Option<Outcome>| -> Vec<ClassifiedPosition> {
        let position = |l: &LabelledPosition| {
            Some(ClassifiedPosition { outcome: label(&l.steps)?, ..l.position })
        };
        labelled.iter().filter_map(position).collect()
    };
    let mut sets: Vec<(&str, &str, String, Vec<ClassifiedPosition>)> = STEPS
        .iter()
        .map(|&(name, title, what, label)| (name, title, what.to_owned(), with(label)))
        .collect();
    let yardstick = sets.len() - 1;

    // Of the openings those that hand-set heuristics call nearly even, and as
    // many taken at random: fewer positions alone must not be blamed.
    let rev = Rev::default();
    let openings: Vec<_> = labelled
        .iter()
        .map(|l| &l.position)
        .filter(|p| p.board.discs() == OPENING_DISCS && !p.shared)
        .collect();
    let even: HashSet<u32> = openings
        .iter()
        .filter(|p| rev.evaluate(&p.board).log_odds().abs() <= EVEN)
        .map(|p| p.group)
        .collect();
    let share = even.len() as f64 / openings.len().max(1) as f64;
    let only = |keep: &dyn Fn(u32) -> bool| -> Vec<ClassifiedPosition> {
        let all = sets[yardstick].3.iter();
        all.filter(|p| p.shared || keep(p.group)).copied().collect()
    };
    let some = |group: u32| deal(group, seed ^ 0x0f_e0) < share;
    let [well, random] = [only(&|group| even.contains(&group)), only(&some)];
    let percent = (100.0 * share).round();
    sets.push((
        "well-played",
        "WELL-PLAYED",
        format!("only openings that are nearly even ({percent} % of them)"),
        well,
    ));
    sets.push(("as-many", "AS-MANY", "as many openings taken at random".to_owned(), random));

    let training: Vec<Vec<ClassifiedPosition>> = sets
        .iter()
        .map(|(.., all)| all.iter().filter(|p| !p.shared && !held(p.group)).copied().collect())
        .collect();
    let log = fit_named("log").expect("LOG is a model");
    let wanted: Vec<Wanted> = sets
        .iter()
        .zip(&training)
        .map(|((name, title, description, all), training)| Wanted {
            name: (*name).to_owned(),
            title: (*title).to_owned(),
            description: description.clone(),
            fit: log,
            training,
            all,
        })
        .collect();
    fit_all(&wanted, yardstick, &test, "solved positions of held-out games", folder, watch)
}
