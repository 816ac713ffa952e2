//! Tables that lie in memory row after row are read where they lie.

use discern_stats::{
    Block, Column, ColumnsView, ErrorKind, Estimator, Fisher, Fit, Logistic, Quadratic,
};

/// Rows of three features, a number that tiles and blocks do not divide.
const ROWS: usize = 9001;

fn table() -> (Vec<f64>, Vec<f32>) {
    let value = |i: usize, j: usize| ((i * (7 + 4 * j) + j) % (31 + 2 * j)) as f64 / 8.0;
    let table = (0..ROWS).flat_map(|i| [0, 1, 2].map(|j| value(i, j))).collect::<Vec<_>>();
    let won = |i: usize| table[3 * i] + ((i * 13) % 29) as f64 / 4.0 > table[3 * i + 1] + 3.0;
    let outcome = (0..ROWS).map(|i| f32::from(u8::from(won(i)))).collect();
    (table, outcome)
}

/// All numbers of all models.
fn numbers(features: Vec<Column>, outcome: &[f32]) -> Vec<f64> {
    let block = Block {
        features,
        outcome: Some(outcome.into()),
        group: Some((0..ROWS as u32).map(|i| i / 5).collect()),
        ..Block::default()
    };
    let data = ColumnsView::new(["a", "b", "c"], block).unwrap();
    let of = |fit: &dyn Fit| {
        let errors = fit.standard_errors(ErrorKind::Clustered).unwrap();
        [fit.coefficients(), errors].concat()
    };
    let log = of(&Logistic::default().fit(&data).unwrap());
    let fisher = of(&Fisher::default().fit(&data).unwrap());
    [log, fisher, of(&Quadratic::default().fit(&data).unwrap())].concat()
}

#[test]
fn rows_and_columns_give_the_same_bits() {
    let (table, outcome) = table();
    let column = |j: usize| table.iter().skip(j).step_by(3).copied().collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..3).map(column).collect();
    let by_columns = numbers(columns.iter().map(|c| c.as_slice().into()).collect(), &outcome);
    assert_eq!(numbers(Column::of_rows(&table, 3), &outcome), by_columns);
    // Eighths are exact in single precision.
    let single: Vec<f32> = table.iter().map(|&value| value as f32).collect();
    assert_eq!(numbers(Column::of_rows(&single, 3), &outcome), by_columns);
}

#[test]
fn a_part_of_the_rows_is_that_part() {
    let (table, _) = table();
    for column in Column::of_rows(&table, 3) {
        let all: Vec<f64> = column.values().collect();
        assert_eq!(column.len(), ROWS);
        let part: Vec<f64> = column.slice(100..250).values().collect();
        assert_eq!(part, all[100..250]);
        assert!(column.slice(ROWS..ROWS).is_empty());
        assert_eq!(column.into_owned().values().collect::<Vec<_>>(), all);
    }
}

#[test]
fn a_number_that_is_not_finite_is_found_in_rows() {
    let (mut table, outcome) = table();
    table[3 * 5000 + 1] = f64::INFINITY;
    let features = Column::of_rows(&table, 3);
    let block = Block { features, outcome: Some(outcome[..].into()), ..Block::default() };
    let said = ColumnsView::new(["a", "b", "c"], block).unwrap_err().to_string();
    assert_eq!(said, "feature 'b' is inf, which is not a finite number");
}
