//! From files of sparse rows to fits, model files and predictions.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use discern_fit::{
    Error, PredictColumns, SparseColumns, SparseData, SparseLimits, SparseLine, SparseModel,
    SparsePredictor, SparseReport, SparseSettings,
};
use discern_stats::sparse::{Intercepts, SparseFit, SparseLogistic, WeightPrior};
use discern_table::SparseTable;

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, contents).unwrap();
        path
    }
}

const PLENTY: SparseLimits = SparseLimits { weights: None, memory: 1 << 30, fit: (300, 8) };

fn read(path: &Path, columns: &SparseColumns) -> Result<SparseData, Error> {
    SparseData::read(path, columns, PLENTY, |_| ())
}

/// Rows of three patterns with twenty configurations each, in two phases.
fn rows(count: u32) -> String {
    let mut text = String::new();
    for row in 0..count {
        let (a, b, c) = (row * 7 % 20, 20 + row * row % 19, 40 + row * 13 % 20);
        let won = (a * 31 + b * 17 + c * 5 + row % 5 * 40) % 97 < 48;
        let label = if row % 11 == 0 { "0.5" } else { ["0", "1"][usize::from(won)] };
        let (game, phase) = (row / 8, row % 2 * 10);
        writeln!(text, "{label} qid:{game} phase:{phase} {}:1 {}:-1 {}:1", a + 1, b + 1, c + 1)
            .unwrap();
    }
    text
}

fn phased() -> SparseColumns {
    let named = |name: &str| Some(name.to_string());
    SparseColumns { phase: named("phase"), group: named("qid"), ..SparseColumns::default() }
}

fn settings() -> SparseSettings {
    let intercepts = Intercepts::PerPhase { smoothing: 0.0 };
    let model =
        SparseLogistic { prior: WeightPrior::ridge(0.5), intercepts, ..SparseLogistic::default() };
    SparseSettings { model, folds: 0 }
}

fn fit(data: &SparseData) -> SparseFit {
    SparseReport::fit(&settings(), data.examples(), &mut |_| ()).unwrap().fit
}

fn model_of(data: &SparseData, columns: SparseColumns) -> SparseModel {
    SparseModel::of("rows.svm".as_ref(), columns, &settings(), fit(data))
}

#[test]
fn rows_in_a_temporary_file_give_the_same_bits() {
    let desk = Desk::new();
    let path = desk.file("a.svm", rows(9000));
    let whole = read(&path, &phased()).unwrap();
    let little = SparseLimits { memory: 1 << 10, ..PLENTY };
    let streamed = SparseData::read(&path, &phased(), little, |_| ()).unwrap();
    let facts = streamed.facts();
    assert!(whole.facts().streamed.is_none() && facts.streamed.is_some_and(|b| b > 9000 * 6));
    assert_eq!((facts.rows, facts.entries, facts.weights), (9000, 27_000, 60));
    assert_eq!(facts.groups, Some(1125));
    assert_eq!(fit(&whole), fit(&streamed));
}

#[test]
fn labels_of_one_and_minus_one_are_read_whatever_comes_first() {
    let desk = Desk::new();
    let expected = ["1 1:1\n0.5 1:1\n0 2:1\n0.5 2:1\n", "1 1:1\nD 1:1\nL 2:1\nD 2:1\n"];
    let signed = ["+1 1:1\n0 1:1\n-1 2:1\n0 2:1\n", "0 1:1\n1 1:1\n0 2:1\n-1 2:1\n"];
    let fits: Vec<SparseFit> = expected
        .into_iter()
        .chain(signed)
        .map(|text| fit(&read(&desk.file("a.svm", text), &SparseColumns::default()).unwrap()))
        .collect();
    for other in &fits[1..] {
        assert_eq!(other.weights, fits[0].weights);
    }
}

#[test]
fn trials_weights_and_offsets_come_from_their_columns() {
    let desk = Desk::new();
    let named = |name: &str| Some(name.to_string());
    let columns = SparseColumns {
        trials: named("n"),
        weight: named("w"),
        offset: named("o"),
        ..SparseColumns::default()
    };
    let counted = desk.file("a.svm", "2 n:3 w:2 o:0.5 1:1\n1 n:4 w:1 o:-1 2:1\n");
    let single = "1 w:1 o:0.5 1:1\n0 w:1 o:-1 2:1\n";
    let written_out =
        desk.file("b.svm", "1 w:4 o:0.5 1:1\n0 w:2 o:0.5 1:1\n1 w:1 o:-1 2:1\n0 w:3 o:-1 2:1\n");
    let plain = SparseColumns { trials: None, ..columns.clone() };
    let [a, b] = [(counted, &columns), (written_out, &plain)]
        .map(|(path, columns)| fit(&read(&path, columns).unwrap()));
    for (a, b) in a.weights.iter().zip(&b.weights) {
        assert!((a - b).abs() < 1e-7, "{a} {b}");
    }
    assert!(fit(&read(&desk.file("c.svm", single), &plain).unwrap()).weights != a.weights);
}

#[test]
fn folds_of_groups_give_held_out_metrics_and_progress() {
    let desk = Desk::new();
    let data = read(&desk.file("a.svm", rows(3000)), &phased()).unwrap();
    let settings = SparseSettings { folds: 4, ..settings() };
    let mut fits = vec![];
    let report = SparseReport::fit(&settings, data.examples(), &mut |work| {
        assert_eq!((work.fits, work.tolerance), (5, 1e-8));
        fits.push(work.fit);
    })
    .unwrap();
    fits.dedup();
    assert_eq!(fits, [0, 1, 2, 3, 4]);
    let (metrics, bins) = report.held_out.as_ref().unwrap();
    assert!((metrics.rows - 3000.0).abs() < 1e-9 && !bins.is_empty());
    assert!(metrics.log_loss.value < 0.69, "{metrics:?}");
    let line = serde_json::to_value(SparseLine::new(&report)).unwrap();
    assert_eq!((&line["model"], &line["stop"]), (&"sparse".into(), &"converged".into()));
    assert_eq!(line["weights"].as_array().unwrap().len(), 60);
    assert_eq!(line["intercept"], serde_json::Value::Null);
    assert_eq!(line["intercepts"][1]["phase"], 10);
    assert_eq!(line["held_out"]["log_loss"], metrics.log_loss.value);
}

#[test]
fn a_model_survives_its_file_and_predicts_as_it_did() {
    let desk = Desk::new();
    let path = desk.file("a.svm", rows(500));
    let data = read(&path, &phased()).unwrap();
    let fitted = fit(&data);
    let model = model_of(&data, phased());
    let bytes = model.to_bytes().unwrap();
    let file = desk.file("m.sparse", &bytes);
    assert!(SparseModel::is_one(&file) && !SparseModel::is_one(&path));
    let back = SparseModel::read(&file).unwrap();
    assert_eq!(back, model);
    assert_eq!(back.weights, fitted.weights);

    let predictor = SparsePredictor::new(back);
    let table = SparseTable::open(&path).unwrap();
    let columns = PredictColumns { label: Some("label".into()), ..PredictColumns::default() };
    let mut rows = predictor.rows(&table, &columns).unwrap();
    assert_eq!(rows.shown(), ["label", "qid", "phase"]);
    let first = rows.next().unwrap().unwrap();
    assert_eq!(first.texts, ["0.5", "0", "0"]);
    let expected = fitted.probability(&[(0, 1.0), (20, -1.0), (40, 1.0)], 0);
    assert_eq!(first.probability, expected);
    assert_eq!(rows.by_ref().map(Result::unwrap).count(), 499);
    assert_eq!(rows.metrics().unwrap().rows, 500.0);
    assert_eq!(rows.unknown(), 0);
    let beyond = desk.file("b.svm", "1 qid:1 phase:99 1:1 999:1\n");
    let table = SparseTable::open(&beyond).unwrap();
    let mut rows = predictor.rows(&table, &PredictColumns::default()).unwrap();
    let far = rows.next().unwrap().unwrap().probability;
    assert_eq!(far, fitted.probability(&[(0, 1.0)], 10));
    assert_eq!(rows.unknown(), 1);

    let mut csv = vec![];
    model.write_csv(&mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 + 60);
    assert!(csv.starts_with("index,weight,error,count\n(intercept 0),"));
    let line = format!("\n1,{},{},{}\n", model.weights[0], model.errors[0], model.counts[0]);
    assert!(csv.contains(&line), "{csv}");
}

/// The file is described in `docs/formats.md`; this one was written when the
/// format was made.
#[test]
fn the_sample_model_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sample.sparse");
    let model = SparseModel::read(&path).unwrap();
    assert_eq!((model.weights.len(), model.intercepts.len()), (60, 2));
    assert_eq!((model.intercepts[1].phase, model.source.rows), (Some(10), 40.0));
    assert_eq!(model.weights[0], -0.426_233_436_058_158_55);
    assert_eq!(model.counts.iter().sum::<f64>(), 120.0);
}

#[test]
fn damaged_model_files_are_refused_with_a_sentence() {
    let desk = Desk::new();
    let data = read(&desk.file("a.svm", rows(200)), &phased()).unwrap();
    let bytes = model_of(&data, phased()).to_bytes().unwrap();
    let told = |bytes: &[u8]| SparseModel::decode(bytes).unwrap_err();
    assert_eq!(told(b"{}"), "is not a sparse model of `discern fit --sparse`");
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert_eq!(told(&newer), "has version 9, this program reads 1");
    for length in (44..bytes.len()).step_by(31) {
        assert!(told(&bytes[..length]).starts_with("is damaged: "), "{length}");
    }
    // With a hash that fits the rubbish the content itself must be safe to read.
    for at in 44..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let hash = blake3::hash(&damaged[44..]);
        damaged[12..44].copy_from_slice(hash.as_bytes());
        let _ = SparseModel::decode(&damaged);
    }
}

#[test]
fn bad_input_is_told_in_one_sentence_with_its_place() {
    let desk = Desk::new();
    let of = |text: &str, columns: &SparseColumns, limits| {
        let path = desk.file("a.svm", text);
        let error = match SparseData::read(&path, columns, limits, |_| ()) {
            Err(error) => error,
            Ok(data) => match SparseReport::fit(&settings(), data.examples(), &mut |_| ()) {
                Err(error) => error,
                Ok(_) => panic!("{text} is fitted"),
            },
        };
        let error = error.to_string();
        error.strip_prefix(path.to_str().unwrap()).unwrap_or(&error).to_string()
    };
    let plain = SparseColumns::default();
    let four = SparseLimits { weights: Some(4), ..PLENTY };
    assert_eq!(
        of("1 1:1\n0 3:1 5:1\n", &plain, four),
        ", line 2: index 5 is out of range: 4 is the last"
    );
    let huge = of("1 1:1\n0 2000000000:1\n", &plain, SparseLimits { fit: (1 << 20, 1), ..PLENTY });
    assert!(huge.starts_with(": 2000000000 weights need about "), "{huge}");
    assert!(of("1 1:1\n2 1:1\n", &plain, PLENTY).starts_with(", line 2: '2' is not a result"));
    assert!(of("1 1:1\n-1 1:1\n0.5 1:1\n", &plain, PLENTY).contains(", line 3: '0.5' does not go"));
    assert_eq!(of("1\n0\n", &plain, PLENTY), ": no row has an entry");
    assert_eq!(
        of("1 1:1\n1 2:1\n", &plain, PLENTY),
        "there are no lost rows among 2: both classes are needed"
    );
    assert_eq!(
        of("1 qid:1 phase:0.5 1:1\n", &phased(), PLENTY),
        ", line 1: phase 0.5 is not a whole number"
    );
    let twice = SparseColumns { group: Some("label".into()), ..plain.clone() };
    assert_eq!(of("1 1:1\n", &twice, PLENTY), "column 'label' is given two roles");
    let weighted = SparseColumns { weight: Some("w".into()), ..plain };
    assert_eq!(
        of("1 w:1 1:1\n0 w:-1 1:1\n", &weighted, PLENTY),
        ", line 2: weight -1 is not a finite number of at least 0"
    );
}
