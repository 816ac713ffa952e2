//! The rivals named in the paper, each a model that can be fitted.

use discern_learn::{ClassifiedPosition, Fit, LabelledPosition, Split};

use super::Result;
use super::candidates::{Candidates, Wanted, fit_all};
use crate::event::Event;
use crate::folder::Folder;
use crate::learning::TEST_SHARE;

/// The models asked for; the first is the one that the others are measured by.
pub(super) fn candidates(
    rivals: &[&'static Fit],
    labelled: &[LabelledPosition],
    seed: u64,
    folder: &mut Folder,
    watch: &mut dyn FnMut(Event),
) -> Result<Candidates> {
    let all: Vec<ClassifiedPosition> = labelled.iter().map(|l| l.position).collect();
    let split = Split::by_group(&all, TEST_SHARE, seed);
    let wanted: Vec<Wanted> = rivals
        .iter()
        .map(|&fit| Wanted {
            name: fit.name.to_owned(),
            title: fit.title.to_owned(),
            description: fit.description.to_owned(),
            fit,
            training: &split.training,
            all: &all,
        })
        .collect();
    fit_all(&wanted, 0, &split.test, "positions of held-out games", folder, watch)
}
