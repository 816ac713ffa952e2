//! From files to fits, files of models and predictions, through the library.

use std::path::PathBuf;

use discern_fit::{
    Columns, Error, FitReport, ModelFile, ModelKind, PredictColumns, Predictor, Settings, TableData,
};
use discern_stats::{Block, Examples};
use discern_table::Table;

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, contents: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    fn read(&self, contents: &str, columns: &Columns, memory: usize) -> Result<TableData, Error> {
        TableData::read(&self.file("t.csv", contents), columns, memory, |_| ())
    }
}

fn labelled() -> Columns {
    Columns { label: Some("result".into()), ..Columns::default() }
}

/// A table of 40 rows with two features, three phases and eight games.
fn games() -> String {
    let mut table = "game,discs,a,b,result\n".to_string();
    for row in 0..40 {
        let (a, b) = (row % 7, (row * 13 % 11) as f64 / 3.0);
        let result = ["win", "loss", "draw", "win", "loss"][(row * 3 % 7 + row / 20) % 5];
        table += &format!("g{},{},{a},{b},{result}\n", row / 5, 20 + row % 3);
    }
    table
}

fn all_columns() -> Columns {
    let named = |name: &str| Some(name.to_string());
    Columns { phase: named("discs"), group: named("game"), ..labelled() }
}

fn outcomes(data: &dyn Examples) -> Vec<f64> {
    let values = |block: Block| block.outcome.unwrap().values().collect::<Vec<_>>();
    data.blocks().flat_map(|block| values(block.unwrap())).collect()
}

#[test]
fn words_shares_and_signs_are_results_in_memory_and_streamed() {
    let desk = Desk::new();
    let cases: [(&str, &[f64]); 4] = [
        ("win D lost ½", &[1.0, 0.5, 0.0, 0.5]),
        ("1 0 1.0", &[1.0, 0.0, 1.0]),
        ("1 0.25 0", &[1.0, 0.25, 0.0]),
        ("1 0 -1 0 -1.0", &[1.0, 0.5, 0.0, 0.5, 0.0]),
    ];
    for (cells, expected) in cases {
        let rows: String = cells.split(' ').map(|cell| format!("1,{cell}\n")).collect();
        for memory in [0, 1 << 20] {
            let data = desk.read(&format!("x,result\n{rows}"), &labelled(), memory).unwrap();
            assert_eq!(data.facts().streamed, memory == 0);
            assert_eq!(outcomes(data.examples()), expected, "{cells}");
        }
    }
}

#[test]
fn a_column_counts_in_shares_or_in_signs() {
    let desk = Desk::new();
    let problem = |cells: &[&str]| {
        let rows: String = cells.iter().map(|cell| format!("1,{cell}\n")).collect();
        let data = desk.read(&format!("x,result\n{rows}"), &labelled(), 1 << 20);
        data.err().unwrap().to_string()
    };
    for cells in [["0.5", "-1"], ["-1", "0.5"], ["-1", "draw"], ["loss", "-1"]] {
        let problem = problem(&cells);
        assert!(problem.contains("line 3") && problem.contains("does not go with"), "{problem}");
    }
    for cell in ["-2", "2", "-0.5", "nan", "maybe"] {
        assert!(problem(&[cell]).contains("line 2: '"), "{cell}");
    }
}

#[test]
fn a_model_file_survives_writing_and_reading_to_the_last_bit() {
    let desk = Desk::new();
    let data = desk.read(&games(), &all_columns(), 1 << 20).unwrap();
    let settings = Settings { pooling: Some(Default::default()), ..Settings::default() };
    let report = FitReport::fit(&settings, data.examples()).unwrap();
    let file = ModelFile::of(&all_columns(), &settings, data.facts(), &report);
    assert_eq!(file.models.len(), 9);
    let again = ModelFile::parse(&file.text()).unwrap();
    for (a, b) in file.models.iter().zip(&again.models) {
        assert_eq!(a.equation.weights(&file.features), b.equation.weights(&file.features));
    }
}

#[test]
fn predictions_are_those_of_the_fit() {
    let desk = Desk::new();
    let data = desk.read(&games(), &all_columns(), 1 << 20).unwrap();
    let settings = Settings {
        models: vec![ModelKind::Log, ModelKind::Fisher],
        folds: 4,
        ..Settings::default()
    };
    let report = FitReport::fit(&settings, data.examples()).unwrap();
    assert_eq!(report.overall.len(), 2);
    let columns = Columns { phase: None, ..all_columns() };
    let file = ModelFile::of(&columns, &settings, data.facts(), &report);
    let predictor = Predictor::new(&file, &[]).unwrap();
    assert_eq!(predictor.columns(), ["p_fisher", "p_log"]);
    assert!(Predictor::new(&file, &["quad".into()]).unwrap_err().contains("'quad'"));
    let table = Table::open(desk.0.path().join("t.csv")).unwrap();
    let columns = PredictColumns { label: Some("result".into()), ..PredictColumns::default() };
    let mut rows = predictor.rows(&table, &columns).unwrap();
    let batch = rows.next().unwrap().unwrap();
    let (_, log) = report.models().find(|(_, model)| model.kind == ModelKind::Log).unwrap();
    let log = log.fitted.as_ref().unwrap();
    for (row, added) in batch.added.iter().enumerate() {
        let cells: Vec<&str> = batch.texts(row).collect();
        let x = [cells[2].parse().unwrap(), cells[3].parse().unwrap()];
        assert!((added[1] - log.probability(&x)).abs() < 1e-14);
    }
    assert!(rows.next().is_none());
    let metrics = rows.metrics();
    assert!(metrics.len() == 2 && metrics.iter().all(|(_, metrics)| metrics.rows == 40.0));
}
