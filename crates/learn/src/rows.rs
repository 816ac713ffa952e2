use std::ops::Range;

use discern_board::Board;
use discern_eval::patterns::Indices;
use discern_eval::{Basis, Feature, Features, Tables};
use discern_stats::{BLOCK_ROWS, Block, Blocks, Column, Examples, PhaseRange};

use crate::counts::Counts;
use crate::split::deal;
use crate::{ClassifiedPosition, Evidence, FitSettings, Window};

/// Deals the groups to tables and weights; unlike that of any test split.
const SPLIT_SEED: u64 = 0x7ab1e5;

/// The features of positions in columns, ready to be fitted.
#[derive(Debug)]
pub(crate) struct Rows {
    features: Features,
    /// Whole phases, each cut into blocks.
    blocks: Vec<Block<'static>>,
}

/// The tables of some positions, and rows to fit the weights.
pub(crate) struct Learned {
    pub(crate) tables: Tables,
    pub(crate) counts: Counts,
    pub(crate) rows: Rows,
}

/// Fills the tables and computes the features as the evidence rule says.
/// Positions without a move for either side are of no use and left out, and so
/// are those that groups share.
pub(crate) fn learn(positions: &[ClassifiedPosition], settings: &FitSettings) -> Learned {
    let (counts, features, by_group) = values(positions, settings);
    let list = &settings.features;
    let fits = |position: &ClassifiedPosition| match settings.evidence {
        Evidence::Split { .. } => !fills(position, settings),
        _ => true,
    };
    let rows = by_group
        .iter()
        .zip(features.chunks_exact(list.len()))
        .map(|(&i, features)| (&positions[i as usize], features))
        .filter(|(position, _)| fits(position));
    let rows = Rows::collect(list, rows, settings.window);
    Learned { tables: counts.tables(list), counts, rows }
}

/// Learns the tables of positions, for programs that do the fits themselves:
/// the basis, row after row the features by tables that leave out a position's
/// own games, and which position each row is. Positions without a move for
/// either side and those that groups share have no row.
pub fn feature_table(
    positions: &[ClassifiedPosition],
    settings: &FitSettings,
) -> (Basis, Vec<f32>, Vec<u32>) {
    let (counts, features, rows) = values(positions, settings);
    (Basis::new(settings.features.clone(), counts.tables(&settings.features)), features, rows)
}

/// Whether a position fills the tables.
fn fills(position: &ClassifiedPosition, settings: &FitSettings) -> bool {
    match settings.evidence {
        Evidence::Split { tables } => deal(position.group, SPLIT_SEED) < tables,
        _ => true,
    }
}

/// The evidence of all positions, the features of each of use, and their order.
fn values(
    positions: &[ClassifiedPosition],
    settings: &FitSettings,
) -> (Counts, Vec<f32>, Vec<u32>) {
    let by_group = by_group(positions);
    let threads = settings.threads.count();
    let parts = parts(&by_group, positions, threads);

    // Each thread counts its part; integers add up to the same in any order.
    let counts = std::thread::scope(|scope| {
        let count = |part: Range<usize>| {
            let mut counts = Counts::new(settings.tables, &settings.features);
            for &i in &by_group[part] {
                if fills(&positions[i as usize], settings) {
                    counts.add(&positions[i as usize]);
                }
            }
            counts
        };
        let handles: Vec<_> =
            parts.iter().map(|part| scope.spawn(move || count(part.clone()))).collect();
        let mut all: Option<Counts> = None;
        for handle in handles {
            let part = handle.join().expect("counting does not panic");
            match &mut all {
                Some(all) => all.merge(&part),
                None => all = Some(part),
            }
        }
        all.unwrap_or_else(|| Counts::new(settings.tables, &settings.features))
    });

    let list = &settings.features;
    let mut features = vec![0f32; list.len() * by_group.len()];
    std::thread::scope(|scope| {
        let mut rest = &mut features[..];
        for part in &parts {
            let (mine, others) = rest.split_at_mut(list.len() * part.len());
            rest = others;
            let group_order = &by_group[part.clone()];
            let mut counts = counts.clone();
            let leave_out = settings.evidence == Evidence::LeaveGroupOut;
            scope.spawn(move || {
                group_features(positions, group_order, &mut counts, leave_out, (list, mine))
            });
        }
    });

    (counts, features, by_group)
}

/// The features of consecutive positions in group order: the list, and where
/// the values go.
fn group_features(
    positions: &[ClassifiedPosition],
    order: &[u32],
    counts: &mut Counts,
    leave_out: bool,
    (list, values): (&Features, &mut [f32]),
) {
    let mut rows = values.chunks_exact_mut(list.len());
    for group in order.chunk_by(|&a, &b| positions[a as usize].group == positions[b as usize].group)
    {
        let members = group.iter().map(|&i| &positions[i as usize]);
        if leave_out {
            members.clone().for_each(|position| counts.remove(position));
        }
        for (position, row) in members.clone().zip(&mut rows) {
            fill(row, list, counts, &position.board);
        }
        if leave_out {
            members.for_each(|position| counts.add(position));
        }
    }
}

/// The features of a board by the evidence as it stands.
pub(crate) fn fill(row: &mut [f32], list: &Features, counts: &Counts, board: &Board) {
    let mut by_pattern = [0f64; discern_eval::patterns::PATTERNS.len()];
    counts.evaluate(board, |pattern, value| by_pattern[pattern] += value);
    let lines = Indices::of(board).mobility();
    for (value, feature) in row.iter_mut().zip(list.iter()) {
        *value = match feature.pattern() {
            Some(pattern) => by_pattern[pattern],
            None => feature.value(board, &lines).expect("a scalar"),
        } as f32;
    }
}

/// The positions that can be used, in the order of their groups.
pub(crate) fn by_group(positions: &[ClassifiedPosition]) -> Vec<u32> {
    let count = u32::try_from(positions.len()).expect("fewer than four billion positions");
    let of_use = |position: &ClassifiedPosition| !position.shared && !position.board.is_over();
    let mut order: Vec<u32> = (0..count).filter(|&i| of_use(&positions[i as usize])).collect();
    order.sort_by_key(|&i| positions[i as usize].group);
    order
}

/// About equal parts that do not cut a group in two.
fn parts(order: &[u32], positions: &[ClassifiedPosition], count: usize) -> Vec<Range<usize>> {
    let group = |i: usize| positions[order[i] as usize].group;
    let mut ends: Vec<usize> = (1..=count).map(|part| order.len() * part / count).collect();
    for end in &mut ends {
        while *end > 0 && *end < order.len() && group(*end) == group(*end - 1) {
            *end += 1;
        }
    }
    let mut start = 0;
    ends.into_iter()
        .map(|end| {
            let part = start..end.max(start);
            start = part.end;
            part
        })
        .collect()
}

impl Rows {
    /// The rows of these positions, ordered by phase and then as given.
    pub(crate) fn collect<'a>(
        features: &Features,
        rows: impl Iterator<Item = (&'a ClassifiedPosition, &'a [f32])> + Clone,
        window: Window,
    ) -> Rows {
        let mut sizes = [0usize; 65];
        rows.clone().for_each(|(position, _)| sizes[position.board.discs() as usize] += 1);
        let mut phases: Vec<PhaseColumns> =
            sizes.map(|rows| PhaseColumns::with_capacity(features.len(), rows)).into();
        for (position, values) in rows {
            phases[position.board.discs() as usize].push(position, values);
        }
        let blocks =
            (0..).zip(phases).flat_map(|(discs, columns)| columns.into_blocks(window.key(discs)));
        Rows { features: features.clone(), blocks: blocks.collect() }
    }

    /// Hands over every row: the number of its phase, its features in the order
    /// of the list, and its outcome.
    pub(crate) fn each(&self, mut row: impl FnMut(i32, &[f64], f64)) {
        let mut x = vec![0.0; self.features.len()];
        for block in &self.blocks {
            let outcome = block.outcome.as_ref().expect("every row has an outcome");
            for place in 0..block.rows() {
                for (x, column) in x.iter_mut().zip(&block.features) {
                    *x = column.value(place);
                }
                row(block.phase, &x, outcome.value(place));
            }
        }
    }

    /// Some features of some phases.
    pub(crate) fn part(&self, range: PhaseRange, features: &Features) -> Part<'_> {
        let used = |feature: &Feature| features.contains(feature);
        Part {
            rows: self,
            range,
            used: self.features.iter().map(used).collect(),
            scored: false,
            names: features.iter().map(|feature| feature.name().to_owned()).collect(),
        }
    }
}

impl<'a> Part<'a> {
    /// If so wished, only the rows whose score is known, with their score.
    pub(crate) fn scored(self, scored: bool) -> Part<'a> {
        Part { scored, ..self }
    }
}

/// The columns of one phase while they are filled.
struct PhaseColumns {
    features: Vec<Vec<f32>>,
    outcome: Vec<f32>,
    /// NaN where it is not known.
    score: Vec<f32>,
    group: Vec<u32>,
}

impl PhaseColumns {
    fn with_capacity(features: usize, rows: usize) -> PhaseColumns {
        PhaseColumns {
            features: (0..features).map(|_| Vec::with_capacity(rows)).collect(),
            outcome: Vec::with_capacity(rows),
            score: Vec::with_capacity(rows),
            group: Vec::with_capacity(rows),
        }
    }

    fn push(&mut self, position: &ClassifiedPosition, features: &[f32]) {
        self.features.iter_mut().zip(features).for_each(|(column, &value)| column.push(value));
        self.outcome.push(position.points() as f32);
        self.score.push(position.score.map_or(f32::NAN, |score| score.discs() as f32));
        self.group.push(position.group);
    }

    /// Blocks of the size the fits like best.
    fn into_blocks(self, phase: i32) -> impl Iterator<Item = Block<'static>> {
        let rows = self.outcome.len();
        (0..rows).step_by(BLOCK_ROWS).map(move |start| {
            let range = start..rows.min(start + BLOCK_ROWS);
            let column = |values: &Vec<f32>| values[range.clone()].to_vec().into();
            Block {
                phase,
                features: self.features.iter().map(column).collect(),
                outcome: Some(column(&self.outcome)),
                score: Some(column(&self.score)),
                group: Some(self.group[range.clone()].to_vec().into()),
                ..Block::default()
            }
        })
    }
}

/// Some features of some phases of [`Rows`], without a copy.
pub(crate) struct Part<'a> {
    rows: &'a Rows,
    range: PhaseRange,
    /// For each feature of the rows whether it is used.
    used: Vec<bool>,
    /// Only rows whose score is known.
    scored: bool,
    names: Vec<String>,
}

impl Examples for Part<'_> {
    fn features(&self) -> &[String] {
        &self.names
    }

    fn blocks(&self) -> Blocks<'_> {
        let mine = self.rows.blocks.iter().filter(|block| self.range.contains(block.phase));
        Box::new(mine.map(|block| {
            let mut block = block.borrowed();
            let mut used = self.used.iter();
            block.features.retain(|_| used.next().is_some_and(|used| *used));
            let score = block.score.take().expect("every block has a column of scores");
            if self.scored {
                let known: Vec<usize> =
                    (0..score.len()).filter(|&row| !score.value(row).is_nan()).collect();
                let only = |column: &Column| -> Column<'static> {
                    known.iter().map(|&row| column.value(row) as f32).collect::<Vec<_>>().into()
                };
                block = Block {
                    phase: block.phase,
                    features: block.features.iter().map(only).collect(),
                    outcome: block.outcome.as_ref().map(only),
                    score: Some(only(&score)),
                    group: block.group.map(|g| known.iter().map(|&row| g[row]).collect()),
                    ..Block::default()
                };
            }
            Ok(block)
        }))
    }
}
