use std::fmt;
use std::ops::Range;
use std::str::FromStr;

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
    fn shards_survive_printing_and_parsing() {
        let shard = Shard { index: 3, count: 17 };
        assert_eq!(shard.to_string().parse(), Ok(shard));
        for wrong in ["", "3", "3/3", "-1/3", "3/0", "a/b", "1/2/3"] {
            let said = wrong.parse::<Shard>().unwrap_err().to_string();
            assert!(said.starts_with(&format!("'{wrong}' is not a shard")), "{said}");
        }
    }
}
