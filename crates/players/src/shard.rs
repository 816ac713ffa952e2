use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::error::JobError;

/// One of `count` equal parts of some work: shard `index`, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 0.
    pub index: u32,
    /// Of how many.
    pub count: u32,
}

impl Shard {
    /// The most parts that a plan may have: each takes a file or two.
    pub const MOST: u32 = 100_000;

    /// Which of `total` things belong to this shard. All shards together have
    /// every thing once, and their sizes differ by at most one.
    pub fn range(self, total: usize) -> Range<usize> {
        let cut = |index: u32| (total as u64 * u64::from(index) / u64::from(self.count)) as usize;
        cut(self.index)..cut(self.index + 1)
    }
}

/// How work is cut: things of equal size, in shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// How many things there are to do.
    pub things: usize,
    /// Into how many shards.
    pub shards: u32,
}

impl Cut {
    /// Which things belong to a shard.
    pub fn range(self, shard: u32) -> Range<usize> {
        Shard { index: shard, count: self.shards }.range(self.things)
    }

    /// Does every shard have a thing? `what` names the things.
    ///
    /// # Errors
    /// How many shards there may be.
    pub fn check(self, what: &str) -> Result<(), JobError> {
        let Cut { things, shards } = self;
        let most = things.clamp(1, Shard::MOST as usize);
        match (1..=most).contains(&(shards as usize)) {
            true => Ok(()),
            false => {
                Err(JobError::Plan(format!("{shards} shards for {things} {what}, at most {most}")))
            }
        }
    }
}

/// The shard of a task in a job array, as batch systems tell their tasks.
///
/// `variable` looks a variable up. Slurm and SGE say how many tasks there are;
/// PBS does not, and its arrays must begin at 0 and have a task for each of the
/// plan's `count` shards.
///
/// # Errors
/// If this is no task of a job array, or one that fits no shard.
pub fn shard_of_task(
    count: u32,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Shard, ShardOfTaskError> {
    let number = |name: &'static str| {
        let text = variable(name)?;
        Some(text.parse::<u32>().map_err(|_| ShardOfTaskError::Number(name, text)))
    };
    let number_or = |name, other| number(name).unwrap_or(Ok(other));
    let (task, first, step, tasks) = if let Some(task) = number("SLURM_ARRAY_TASK_ID") {
        let first = number_or("SLURM_ARRAY_TASK_MIN", 0)?;
        let step = number_or("SLURM_ARRAY_TASK_STEP", 1)?;
        (task?, first, step, number_or("SLURM_ARRAY_TASK_COUNT", count)?)
    } else if let Some(task) = number("PBS_ARRAY_INDEX").or_else(|| number("PBS_ARRAYID")) {
        (task?, 0, 1, count)
    } else if let Some(task) = number("SGE_TASK_ID") {
        let (first, step) = (number_or("SGE_TASK_FIRST", 1)?, number_or("SGE_TASK_STEPSIZE", 1)?);
        let last = number_or("SGE_TASK_LAST", count)?;
        (task?, first, step, last.saturating_sub(first) / step.max(1) + 1)
    } else {
        return Err(ShardOfTaskError::NoTask);
    };
    let index = task.checked_sub(first).map_or(u32::MAX, |offset| offset / step.max(1));
    if tasks != count || index >= count {
        return Err(ShardOfTaskError::Tasks { task, tasks, count });
    }
    Ok(Shard { index, count })
}

/// Why the environment names no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShardOfTaskError {
    /// Not in a job array.
    #[error(
        "no task of a job array: none of SLURM_ARRAY_TASK_ID, PBS_ARRAY_INDEX and SGE_TASK_ID is set"
    )]
    NoTask,
    /// Not a number.
    #[error("{0} is '{1}', which is not a number")]
    Number(&'static str, String),
    /// The array is not as large as the plan.
    #[error("task {task} of {tasks}: the plan has {count} shards, and needs as many tasks")]
    Tasks {
        /// This task.
        task: u32,
        /// Tasks of the array.
        tasks: u32,
        /// Shards of the plan.
        count: u32,
    },
}

/// Which shard of a plan to make, as people and job arrays say it: `3/40`, or
/// `env` for the one of this task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardChoice {
    /// This one.
    One(Shard),
    /// The one that the environment names ([`shard_of_task`]).
    OfTask,
}

impl ShardChoice {
    /// The index of the shard in a plan of `count` shards.
    ///
    /// # Errors
    /// If the plan has another number of shards, or the environment names none.
    pub fn index(self, count: u32) -> Result<u32, JobError> {
        let shard = match self {
            ShardChoice::One(shard) => shard,
            ShardChoice::OfTask => shard_of_task(count, |name| std::env::var(name).ok())
                .map_err(|error| JobError::Plan(error.to_string()))?,
        };
        match shard.count == count {
            true => Ok(shard.index),
            false => Err(JobError::Plan(format!("shard {shard}: the plan has {count} shards"))),
        }
    }
}

impl FromStr for ShardChoice {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<ShardChoice, ParseShardError> {
        if text == "env" { Ok(Self::OfTask) } else { text.parse().map(Self::One) }
    }
}

/// The text is no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a shard: write i/n with i from 0 to n-1")]
pub struct ParseShardError(String);

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let parsed = text.split_once('/').and_then(|(index, count)| {
            let shard = Shard { index: index.parse().ok()?, count: count.parse().ok()? };
            (shard.index < shard.count).then_some(shard)
        });
        parsed.ok_or_else(|| ParseShardError(text.to_owned()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_everything_once() {
        for (total, count) in [(10, 3), (3, 10), (0, 4), (1000, 7), (7, 1)] {
            let ranges: Vec<_> =
                (0..count).map(|index| Shard { index, count }.range(total)).collect();
            assert_eq!(ranges.iter().cloned().flatten().collect::<Vec<_>>(), {
                (0..total).collect::<Vec<_>>()
            });
            let sizes: Vec<usize> = ranges.iter().map(ExactSizeIterator::len).collect();
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn tasks_of_job_arrays_are_shards() {
        let of = |count: u32, variables: &[(&str, &str)]| {
            let find = |name: &str| variables.iter().find(|pair| pair.0 == name);
            shard_of_task(count, |name| Some(find(name)?.1.to_owned()))
        };
        let slurm = [("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_COUNT", "8")];
        assert_eq!(of(8, &slurm), Ok(Shard { index: 3, count: 8 }));
        assert!(of(9, &slurm).unwrap_err().to_string().contains("the plan has 9 shards"));
        let from_one = [("SLURM_ARRAY_TASK_ID", "8"), ("SLURM_ARRAY_TASK_MIN", "1")];
        assert_eq!(of(8, &from_one), Ok(Shard { index: 7, count: 8 }));
        assert_eq!(of(4, &[("PBS_ARRAY_INDEX", "0")]), Ok(Shard { index: 0, count: 4 }));
        assert!(of(4, &[("PBS_ARRAY_INDEX", "4")]).is_err());
        let sge = [("SGE_TASK_ID", "5"), ("SGE_TASK_FIRST", "1"), ("SGE_TASK_LAST", "5")];
        assert_eq!(of(5, &sge), Ok(Shard { index: 4, count: 5 }));
        assert_eq!(of(5, &[]), Err(ShardOfTaskError::NoTask));
        let said = of(5, &[("SGE_TASK_ID", "undefined")]).unwrap_err().to_string();
        assert_eq!(said, "SGE_TASK_ID is 'undefined', which is not a number");
    }

    #[test]
    fn shards_survive_printing_and_parsing() {
        let shard = Shard { index: 3, count: 17 };
        assert_eq!(shard.to_string().parse(), Ok(shard));
        for wrong in ["", "3", "3/3", "-1/3", "3/0", "a/b", "1/2/3"] {
            let said = wrong.parse::<Shard>().unwrap_err().to_string();
            assert!(said.starts_with(&format!("'{wrong}' is not a shard")), "{said}");
        }
    }
}
