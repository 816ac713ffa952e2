//! The weight file.
//!
//! ```text
//! 8 bytes   "DISCERNW"
//! 4 bytes   version, little-endian (4)
//! 32 bytes  BLAKE3 of all that follows
//! rest      zstd frame: head, tables, content of each model
//! ```
//! The head (u32 length, JSON) has the names of the features and of each model
//! its name, title, description, kind and manifest. Then the stages (u8 disc
//! counts per stage, u8 count) and for each pattern among the features, in
//! their order, per stage its table values (i16 per class: all low bytes, then
//! all high bytes, each the difference to the stage before, which compresses
//! best). Then the content of each model (u32 length), as its kind has it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::named::is_name;
use super::{Manifest, NamedModel, Weights};
use crate::bytes::{Reader, put_block};
use crate::patterns::{Orbits, PATTERNS};
use crate::registry::kind;
use crate::{Basis, Features, Stages, TableSet, TableValue, Tables};

const MAGIC: &[u8; 8] = b"DISCERNW";
const VERSION: u32 = 4;
#[cfg(test)]
const HEADER: usize = 8 + 4 + 32;
/// No honest file is larger, packed or not.
pub(super) const MAX_UNPACKED: usize = 1 << 27;
/// Twelve: nearly as small as level 19 in a tenth of its time.
const LEVEL: i32 = 12;

#[derive(Serialize, Deserialize)]
struct Head {
    features: Vec<String>,
    models: Vec<ModelHead>,
}

#[derive(Serialize, Deserialize)]
struct ModelHead {
    name: String,
    title: String,
    description: String,
    kind: String,
    manifest: Manifest,
}

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
    /// Made by a program with further features.
    #[error("the weights use the feature '{0}', which this program does not know")]
    Feature(String),
    /// Made by a program with further kinds of models.
    #[error("the weights hold a model of kind '{0}', which this program does not know")]
    Kind(String),
    /// The hash is right but the content makes no sense.
    #[error("the weight file is malformed: {0}")]
    Malformed(&'static str),
}

pub(super) fn encode(weights: &Weights) -> Vec<u8> {
    let features = weights.basis.features();
    let model_head = |named: &NamedModel| ModelHead {
        name: named.name().to_owned(),
        title: named.title().to_owned(),
        description: named.description().to_owned(),
        kind: named.model().kind().to_owned(),
        manifest: named.manifest.clone(),
    };
    let head = Head {
        features: features.names().into_iter().map(str::to_owned).collect(),
        models: weights.models().iter().map(model_head).collect(),
    };
    let mut content = Vec::new();
    put_block(&mut content, &serde_json::to_vec(&head).expect("plain strings and numbers"));
    let tables = weights.basis.tables();
    let sets: Vec<_> = tables.sets().iter().map(TableSet::steps).collect();
    put_steps(&mut content, features, tables.stages(), Orbits::classes, &sets);
    for named in weights.models() {
        put_block(&mut content, &named.model().encode(&weights.basis));
    }
    sealed(&content, LEVEL)
}

/// A file with this content.
fn sealed(content: &[u8], level: i32) -> Vec<u8> {
    let packed = zstd::bulk::compress(content, level).expect("memory to memory");
    let hash = blake3::hash(&packed);
    [MAGIC, &VERSION.to_le_bytes()[..], hash.as_bytes(), &packed].concat()
}

pub(super) fn decode(file: &[u8]) -> Result<Weights, WeightsError> {
    use WeightsError::Malformed;
    let mut reader = Reader(file);
    if !file.starts_with(MAGIC) {
        return Err(WeightsError::Foreign);
    }
    reader.take(MAGIC.len())?;
    let version = reader.u32()?;
    if version != VERSION {
        return Err(WeightsError::Version(version));
    }
    let hash = reader.take(32)?;
    if hash != blake3::hash(reader.0).as_bytes() {
        return Err(WeightsError::Damaged);
    }
    let content = zstd::bulk::decompress(reader.0, MAX_UNPACKED)
        .map_err(|_| Malformed("it cannot be unpacked"))?;
    let mut reader = Reader(&content);
    let head: Head = serde_json::from_slice(reader.block()?)
        .map_err(|_| Malformed("its head cannot be read"))?;
    let features = Features::of_names(&head.features)
        .map_err(|unknown| WeightsError::Feature(unknown.to_owned()))?;
    let tables = tables(&mut reader, &features)?;
    let basis = Arc::new(Basis::new(features, tables));
    let mut models: Vec<NamedModel> = Vec::with_capacity(head.models.len());
    for ModelHead { name, title, description, kind: of, manifest } in head.models {
        if !is_name(&name) || models.iter().any(|other| other.name() == name) {
            return Err(Malformed("a model has an impossible name"));
        }
        let kind = kind(&of).ok_or(WeightsError::Kind(of))?;
        let model = (kind.decode)(&basis, reader.block()?)?;
        let words = [&*name, &title, &description];
        models.push(NamedModel::new(words, manifest, basis.clone(), model));
    }
    reader.end()?;
    Ok(Weights::new(basis, models))
}

/// The steps of each class of each pattern in every stage; `classes` tells how
/// many there are.
pub(crate) fn put_steps(
    out: &mut Vec<u8>,
    features: &Features,
    stages: Stages,
    classes: impl Fn(&Orbits) -> usize,
    sets: &[&[Vec<i16>]],
) {
    out.push(stages.discs() as u8);
    out.push(sets.len() as u8);
    for pattern in features.patterns() {
        let mut before = vec![0i16; classes(Orbits::of(pattern))];
        for set in sets {
            let now = &set[pattern];
            let differences =
                || now.iter().zip(&before).map(|(now, before)| now.wrapping_sub(*before));
            out.extend(differences().map(|difference| difference.to_le_bytes()[0]));
            out.extend(differences().map(|difference| difference.to_le_bytes()[1]));
            before = now.clone();
        }
    }
}

/// For each stage and pattern the steps of its classes.
pub(crate) type Steps = Vec<Vec<Vec<i16>>>;

/// The stages, and for each stage and pattern its steps.
pub(crate) fn steps(
    reader: &mut Reader,
    features: &Features,
    classes: impl Fn(&Orbits) -> usize,
) -> Result<(Stages, Steps), WeightsError> {
    let (discs, count) = (reader.u8()?, reader.u8()?);
    let stages = Stages::new(usize::from(discs))
        .filter(|stages| stages.count() == usize::from(count))
        .ok_or(WeightsError::Malformed("impossible stages"))?;
    // Per pattern, then per stage: the other way round than a set wants it.
    let mut steps = vec![vec![Vec::new(); PATTERNS.len()]; stages.count()];
    for pattern in features.patterns() {
        let classes = classes(Orbits::of(pattern));
        let mut before = vec![0i16; classes];
        for stage in &mut steps {
            let low = reader.take(classes)?;
            let high = reader.take(classes)?;
            for ((value, &low), &high) in before.iter_mut().zip(low).zip(high) {
                *value = value.wrapping_add(i16::from_le_bytes([low, high]));
            }
            stage[pattern] = before.clone();
        }
    }
    Ok((stages, steps))
}

fn tables(reader: &mut Reader, features: &Features) -> Result<Tables, WeightsError> {
    let (stages, steps) = steps(reader, features, Orbits::classes)?;
    let mut sets = Vec::with_capacity(steps.len());
    for stage in &steps {
        let outside = |&steps: &i16| TableValue::from_steps(steps).is_none();
        if stage.iter().flatten().any(outside) {
            return Err(WeightsError::Malformed("a table value is out of range"));
        }
        sets.push(TableSet::from_fn(features, |pattern, class| {
            TableValue::from_steps(stage[pattern][class]).expect("checked above")
        }));
    }
    Ok(Tables::new(stages, sets))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::tests::arbitrary_weights;

    fn some(seed: u64) -> Weights {
        arbitrary_weights(Features::default(), seed)
    }

    #[test]
    fn weights_survive_a_file() {
        let weights = some(31);
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
        assert!(some(32).save(directory.path().join("taken")).is_err());
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1);
    }

    #[test]
    fn damaged_and_foreign_files_are_refused_with_the_reason() {
        let good = some(33).to_bytes();
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
            if let Ok(weights) = decode(&sealed(&changed, 1)) {
                proptest::prop_assert_eq!(decode(&weights.to_bytes()).unwrap(), weights);
            }
            proptest::prop_assert!(decode(&sealed(&CONTENT[..cut % CONTENT.len()], 1)).is_err());
        }
    }

    #[test]
    fn content_that_makes_no_sense_is_refused_despite_its_hash() {
        let good = some(34).to_bytes();
        let content = zstd::bulk::decompress(&good[HEADER..], MAX_UNPACKED).unwrap();
        let refused = |content: &[u8]| decode(&sealed(content, 1)).unwrap_err().to_string();
        assert!(decode(&sealed(&content, 1)).is_ok());
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
        let changed = |from: &[u8], to: &[u8]| {
            let place = content.windows(from.len()).position(|window| window == from).unwrap();
            let mut changed = content.clone();
            changed[place..][..to.len()].copy_from_slice(to);
            refused(&changed)
        };
        assert!(changed(b"PMOB", b"QMOB").contains("'QMOB', which this program does not know"));
        assert!(changed(b"linear", b"lunear").contains("'lunear', which this program does not"));
        assert!(changed(b"\"log\"", b"\"rev\"").contains("an impossible name"));
        let head = u32::from_le_bytes(*content.first_chunk().unwrap()) as usize;
        let mut tables = content.clone();
        tables[4 + head] = 0;
        assert!(refused(&tables).contains("impossible stages"));
    }

    #[test]
    fn any_list_of_known_features_makes_a_file() {
        for features in ["MOB", "R1,C2x5", "LAST,PMOB,D7", "+LAST"] {
            let weights = arbitrary_weights(features.parse().unwrap(), 35);
            let read = Weights::from_bytes(&weights.to_bytes()).unwrap();
            assert_eq!(read, weights);
            assert_eq!((read.hash(), read.to_bytes()), (weights.hash(), weights.to_bytes()));
        }
    }
}
