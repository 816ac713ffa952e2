//! The weight file.
//!
//! ```text
//! 8 bytes   "DISCERNW"
//! 4 bytes   version, little-endian (1)
//! 32 bytes  BLAKE3 of all that follows
//! rest      zstd frame: manifest, features, tables, models
//! ```
//! Inside the frame: the manifest (u32 length, JSON), the names of the
//! features (u32 length, text as [`FeatureSet`] prints it), the stages (u8
//! disc counts per stage, u8 count), then per stage and scored pattern its
//! table values (i16 per class: all low bytes, then all high bytes, each the
//! difference to the stage before, which compresses best), then the models of
//! each phase as f64: LOG and FISHER (intercept, weights, u8 flag, standard
//! errors), QUAD (constant, linear, lower triangle of Q row by row). A byte
//! says whether the direct model follows: stages and weights as the tables,
//! then mobility and potential mobility of each stage, then intercept and
//! scale of each phase.

use std::io::Write;
use std::path::Path;

use super::bytes::{Reader, put_f64s};
use super::{Manifest, Weights};
use crate::patterns::{Orbits, PATTERNS};
use crate::{
    DirectModel, DirectPhase, DirectSet, FEATURES, FeatureSet, LinearErrors, LinearModel, Phases,
    QuadraticModel, Stages, TableSet, TableValue, Tables,
};

const MAGIC: &[u8; 8] = b"DISCERNW";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 32;
/// No honest file unpacks to more.
const MAX_UNPACKED: usize = 1 << 27;
/// Twelve: nearly as small as level 19 in a tenth of its time.
const LEVEL: i32 = 12;

/// Why a weight file is refused.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It does not begin like a weight file.
    #[error("this is not a weight file")]
    Foreign,
    /// A version this program does not know.
    #[error("weight file version {0} is not supported (this program reads version {VERSION})")]
    Version(u32),
    /// The content does not match its hash.
    #[error("the weight file is damaged: its content does not match its hash")]
    Damaged,
    /// The file ends too early.
    #[error("the weight file is cut off")]
    Truncated,
    /// Made by a program with other features.
    #[error("the weights are for the features {found}, this program has {expected}", expected = FeatureSet::ALL)]
    Features {
        /// The features of the file.
        found: String,
    },
    /// The hash is right but the content makes no sense.
    #[error("the weight file is malformed: {0}")]
    Malformed(&'static str),
}

/// Why a weight file could not be written.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct WriteWeightsError(#[from] std::io::Error);

pub(super) fn encode(weights: &Weights) -> Vec<u8> {
    let mut content = Vec::new();
    let mut put_text = |text: &str| {
        content.extend((text.len() as u32).to_le_bytes());
        content.extend(text.as_bytes());
    };
    put_text(&serde_json::to_string(&weights.manifest).expect("plain strings and numbers"));
    put_text(&FeatureSet::ALL.to_string());
    put_tables(&mut content, &weights.tables);
    for (_, model) in weights.log.iter().chain(weights.fisher.iter()) {
        put_linear(&mut content, model);
    }
    for (_, model) in weights.quad.iter() {
        put_f64s(&mut content, &[model.constant]);
        put_f64s(&mut content, &model.linear);
        for (row, q) in model.quadratic.iter().enumerate() {
            put_f64s(&mut content, &q[..=row]);
        }
    }
    content.push(u8::from(weights.direct.is_some()));
    if let Some(model) = &weights.direct {
        put_direct(&mut content, model);
    }
    let packed = zstd::bulk::compress(&content, LEVEL).expect("memory to memory");
    let mut file = Vec::with_capacity(HEADER + packed.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(blake3::hash(&packed).as_bytes());
    file.extend(packed);
    file
}

pub(super) fn decode(file: &[u8]) -> Result<Weights, WeightsError> {
    let mut reader = Reader(file);
    if reader.take(8) != Some(MAGIC) {
        return Err(WeightsError::Foreign);
    }
    let version = reader.u32().ok_or(WeightsError::Truncated)?;
    if version != VERSION {
        return Err(WeightsError::Version(version));
    }
    let hash = reader.take(32).ok_or(WeightsError::Truncated)?;
    if hash != blake3::hash(reader.0).as_bytes() {
        return Err(WeightsError::Damaged);
    }
    let content = zstd::bulk::decompress(reader.0, MAX_UNPACKED)
        .map_err(|_| WeightsError::Malformed("it cannot be unpacked"))?;
    let mut reader = Reader(&content);
    let manifest: Manifest = serde_json::from_slice(text(&mut reader)?)
        .map_err(|_| WeightsError::Malformed("the manifest cannot be read"))?;
    let features = text(&mut reader)?;
    if features != FeatureSet::ALL.to_string().as_bytes() {
        let found = String::from_utf8_lossy(features).into_owned();
        return Err(WeightsError::Features { found });
    }
    let tables = tables(&mut reader)?;
    let log = phases(|| linear(&mut reader))?;
    let fisher = phases(|| linear(&mut reader))?;
    let quad = phases(|| quadratic(&mut reader))?;
    let direct = match reader.u8().ok_or(WeightsError::Truncated)? {
        0 => None,
        _ => Some(direct(&mut reader)?),
    };
    if !reader.0.is_empty() {
        return Err(WeightsError::Malformed("there is something after its end"));
    }
    Ok(Weights { manifest, tables, log, fisher, quad, direct })
}

fn text<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], WeightsError> {
    let length = reader.u32().ok_or(WeightsError::Truncated)?;
    reader.take(length as usize).ok_or(WeightsError::Truncated)
}

fn put_tables(out: &mut Vec<u8>, tables: &Tables) {
    let sets: Vec<_> = tables.sets().iter().map(|set| |pattern| set.classes(pattern)).collect();
    put_steps(out, tables.stages(), &sets);
}

/// The steps of every stage and pattern.
fn put_steps<'a>(out: &mut Vec<u8>, stages: Stages, sets: &[impl Fn(usize) -> &'a [i16]]) {
    out.push(stages.discs() as u8);
    out.push(sets.len() as u8);
    for pattern in 0..PATTERNS.len() {
        let mut before = vec![0i16; sets[0](pattern).len()];
        for set in sets {
            let now = set(pattern);
            let differences =
                || now.iter().zip(&before).map(|(now, before)| now.wrapping_sub(*before));
            out.extend(differences().map(|difference| difference.to_le_bytes()[0]));
            out.extend(differences().map(|difference| difference.to_le_bytes()[1]));
            before = now.to_vec();
        }
    }
}

/// For each stage and pattern the steps of its classes.
type Steps = Vec<Vec<Vec<i16>>>;

/// The stages, and for each stage and pattern its steps.
fn steps(reader: &mut Reader) -> Result<(Stages, Steps), WeightsError> {
    let discs = reader.u8().ok_or(WeightsError::Truncated)?;
    let count = reader.u8().ok_or(WeightsError::Truncated)?;
    let stages = Stages::new(usize::from(discs))
        .filter(|stages| stages.count() == usize::from(count))
        .ok_or(WeightsError::Malformed("impossible stages"))?;
    // Per pattern, then per stage: the other way round than a set wants it.
    let mut steps = vec![vec![Vec::new(); PATTERNS.len()]; stages.count()];
    for (number, pattern) in PATTERNS.iter().enumerate() {
        let classes = if pattern.scored { Orbits::of(number).classes() } else { 0 };
        let mut before = vec![0i16; classes];
        for stage in &mut steps {
            let low = reader.take(classes).ok_or(WeightsError::Truncated)?;
            let high = reader.take(classes).ok_or(WeightsError::Truncated)?;
            for ((value, &low), &high) in before.iter_mut().zip(low).zip(high) {
                *value = value.wrapping_add(i16::from_le_bytes([low, high]));
            }
            stage[number] = before.clone();
        }
    }
    Ok((stages, steps))
}

fn tables(reader: &mut Reader) -> Result<Tables, WeightsError> {
    let (stages, steps) = steps(reader)?;
    let mut sets = Vec::with_capacity(steps.len());
    for stage in &steps {
        let outside = |&steps: &i16| TableValue::from_steps(steps).is_none();
        if stage.iter().flatten().any(outside) {
            return Err(WeightsError::Malformed("a table value is out of range"));
        }
        sets.push(TableSet::from_fn(|pattern, class| {
            TableValue::from_steps(stage[pattern][class]).expect("checked above")
        }));
    }
    Ok(Tables::new(stages, sets))
}

fn put_direct(out: &mut Vec<u8>, model: &DirectModel) {
    let sets: Vec<_> = model.sets().iter().map(|set| |pattern| set.classes(pattern)).collect();
    put_steps(out, model.stages(), &sets);
    for set in model.sets() {
        put_f64s(out, &[set.mobility, set.potential]);
    }
    for (_, phase) in model.phases.iter() {
        put_f64s(out, &[phase.intercept, phase.scale]);
    }
}

fn direct(reader: &mut Reader) -> Result<DirectModel, WeightsError> {
    let (stages, steps) = steps(reader)?;
    let mut sets = Vec::with_capacity(steps.len());
    for stage in steps {
        let [mobility, potential] = reader.f64s().ok_or(WeightsError::Truncated)?;
        if !(mobility.is_finite() && potential.is_finite()) {
            return Err(WeightsError::Malformed("a weight is not a finite number"));
        }
        sets.push(DirectSet::from_steps(mobility, potential, stage));
    }
    let phases = phases(|| {
        let [intercept, scale] = reader.f64s()?;
        Some(DirectPhase { intercept, scale })
    })?;
    Ok(DirectModel::new(stages, sets, phases))
}

fn put_linear(out: &mut Vec<u8>, model: &LinearModel) {
    put_f64s(out, &[model.intercept]);
    put_f64s(out, &model.weights);
    out.push(u8::from(model.errors.is_some()));
    if let Some(errors) = &model.errors {
        put_f64s(out, &[errors.intercept]);
        put_f64s(out, &errors.weights);
    }
}

fn linear(reader: &mut Reader) -> Option<LinearModel> {
    let (intercept, weights) = (reader.f64()?, reader.f64s()?);
    let errors = match reader.u8()? {
        0 => None,
        _ => Some(LinearErrors { intercept: reader.f64()?, weights: reader.f64s()? }),
    };
    Some(LinearModel { intercept, weights, errors })
}

fn quadratic(reader: &mut Reader) -> Option<QuadraticModel> {
    let (constant, linear) = (reader.f64()?, reader.f64s()?);
    let mut quadratic = [[0.0; FEATURES]; FEATURES];
    for (row, column) in (0..FEATURES).flat_map(|row| (0..=row).map(move |column| (row, column))) {
        let q = reader.f64()?;
        quadratic[row][column] = q;
        quadratic[column][row] = q;
    }
    Some(QuadraticModel { constant, linear, quadratic })
}

/// A model for each phase; numbers that are not finite are refused.
fn phases<T: AllFinite>(mut model: impl FnMut() -> Option<T>) -> Result<Phases<T>, WeightsError> {
    let models = Phases::from_fn(|_| model());
    if models.iter().any(|(_, model)| model.is_none()) {
        return Err(WeightsError::Truncated);
    }
    let models = models.into_map(|model| model.expect("checked above"));
    if models.iter().any(|(_, model)| !model.all_finite()) {
        return Err(WeightsError::Malformed("a weight is not a finite number"));
    }
    Ok(models)
}

trait AllFinite {
    fn all_finite(&self) -> bool;
}

impl AllFinite for LinearModel {
    fn all_finite(&self) -> bool {
        self.intercept.is_finite() && self.weights.iter().all(|weight| weight.is_finite())
    }
}

impl AllFinite for DirectPhase {
    fn all_finite(&self) -> bool {
        self.intercept.is_finite() && self.scale.is_finite()
    }
}

impl AllFinite for QuadraticModel {
    fn all_finite(&self) -> bool {
        let mut all = self.linear.iter().chain(self.quadratic.as_flattened());
        self.constant.is_finite() && all.all(|weight| weight.is_finite())
    }
}

/// Writes a sibling, syncs it and renames it.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteWeightsError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = std::fs::File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&part, path)
    });
    if written.is_err() {
        // What is left of it helps nobody; the first error is the one to tell.
        let _ = std::fs::remove_file(&part);
    }
    Ok(written?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::tests::arbitrary_weights;

    #[test]
    fn weights_survive_a_file() {
        let weights = arbitrary_weights(31);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("test.weights");
        weights.save(&path).unwrap();
        assert_eq!(Weights::load(&path).unwrap(), weights);
        assert_eq!(std::fs::read(&path).unwrap(), weights.to_bytes());
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1, "no part file is left");
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("taken")).unwrap();
        assert!(arbitrary_weights(32).save(directory.path().join("taken")).is_err());
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1);
    }

    #[test]
    fn damaged_and_foreign_files_are_refused_with_the_reason() {
        let good = arbitrary_weights(33).to_bytes();
        let refused = |bytes: &[u8]| decode(bytes).unwrap_err().to_string();
        assert_eq!(refused(b"PNG"), "this is not a weight file");
        assert_eq!(refused(&[]), "this is not a weight file");
        assert_eq!(refused(&good[..10]), "the weight file is cut off");
        assert!(refused(&good[..good.len() - 1]).contains("damaged"));
        let mut newer = good.clone();
        newer[8] = 7;
        assert!(refused(&newer).contains("version 7 is not supported"));
        for place in (12..good.len()).step_by(good.len() / 50) {
            let mut flipped = good.clone();
            flipped[place] ^= 0x10;
            assert!(refused(&flipped).contains("damaged"), "byte {place}");
        }
    }

    /// A file with this content and the right hash.
    fn sealed(content: &[u8]) -> Vec<u8> {
        let packed = zstd::bulk::compress(content, 1).unwrap();
        let mut file = MAGIC.to_vec();
        file.extend(VERSION.to_le_bytes());
        file.extend(blake3::hash(&packed).as_bytes());
        file.extend(packed);
        file
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig {
            failure_persistence: None,
            ..proptest::prelude::ProptestConfig::with_cases(60)
        })]

        #[test]
        fn changed_and_cut_content_never_panics(place in 0usize..1 << 30, to in 0u8.., cut in 0usize..1 << 30) {
            static CONTENT: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| {
                let sample = include_bytes!("../../tests/data/sample.weights");
                zstd::bulk::decompress(&sample[HEADER..], MAX_UNPACKED).unwrap()
            });
            let mut changed = CONTENT.clone();
            changed[place % CONTENT.len()] = to;
            if let Ok(weights) = decode(&sealed(&changed)) {
                proptest::prop_assert_eq!(decode(&weights.to_bytes()).unwrap(), weights);
            }
            proptest::prop_assert!(decode(&sealed(&CONTENT[..cut % CONTENT.len()])).is_err());
        }
    }

    #[test]
    fn content_that_makes_no_sense_is_refused_despite_its_hash() {
        let good = arbitrary_weights(34).to_bytes();
        let content = zstd::bulk::decompress(&good[HEADER..], MAX_UNPACKED).unwrap();
        let refused = |content: &[u8]| decode(&sealed(content)).unwrap_err().to_string();
        assert!(decode(&sealed(&content)).is_ok());
        for length in [0, 3, 4, 100, 400, content.len() / 2, content.len() - 1] {
            let reason = refused(&content[..length]);
            assert!(reason.contains("cut off"), "{length}: {reason}");
        }
        let mut longer = content.clone();
        longer.push(0);
        assert!(refused(&longer).contains("after its end"));
        let mut not_finite = content.clone();
        let last = content.len() - 8;
        not_finite[last..].copy_from_slice(&f64::NAN.to_le_bytes());
        assert!(refused(&not_finite).contains("not a finite number"));
        let features = content.windows(4).position(|window| window == b"PMOB").unwrap();
        let mut others = content.clone();
        others[features] = b'Q';
        assert!(refused(&others).contains("MOB,QMOB,R1"));
        let mut tables = content.clone();
        let first = features + "PMOB,R1,R2,R3,R4,D8,D7,D6,D5,C2x4,C2x5,E2X".len();
        tables[first] = 0;
        assert!(refused(&tables).contains("impossible stages"));
    }
}
