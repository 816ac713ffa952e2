//! Tables that lie in memory row after row are read where they lie, and values
//! that are no numbers are found by the fit itself.

use discern_stats::{
    Block, Column, ColumnsView, ErrorKind, Estimator, Fisher, Fit, Linear, Logistic, Quadratic,
};

/// Rows: a number that tiles and blocks do not divide.
const ROWS: usize = 9001;
/// Columns of the tables: fewer than four, four, and numbers that four does not
/// divide.
const WIDTHS: [usize; 5] = [3, 4, 6, 7, 13];

fn table(width: usize) -> (Vec<f64>, Vec<f32>) {
    let value = |i: usize, j: usize| ((i * (7 + 4 * j) + j) % (37 + 2 * j)) as f64 / 8.0;
    let table: Vec<f64> = (0..ROWS).flat_map(|i| (0..width).map(move |j| value(i, j))).collect();
    let won = |i: usize| value(i, 0) + ((i * 13) % 29) as f64 / 4.0 > value(i, 1) + 3.0;
    let outcome = (0..ROWS).map(|i| f32::from(u8::from(won(i)))).collect();
    (table, outcome)
}

fn names(width: usize) -> Vec<String> {
    (0..width).map(|j| format!("x{j}")).collect()
}

fn block<'a>(features: Vec<Column<'a>>, outcome: &'a [f32]) -> Block<'a> {
    Block {
        features,
        outcome: Some(outcome.into()),
        score: Some(outcome.into()),
        group: Some((0..ROWS as u32).map(|i| i / 5).collect()),
        ..Block::default()
    }
}

/// The estimates of a model and their errors.
fn of(fit: &dyn Fit) -> Vec<f64> {
    let errors = fit.standard_errors(ErrorKind::Clustered).unwrap();
    [fit.coefficients(), errors].concat()
}

/// All numbers of all models.
fn numbers(features: Vec<Column>, outcome: &[f32]) -> Vec<f64> {
    let data = ColumnsView::new(names(features.len()), block(features, outcome)).unwrap();
    let log = of(&Logistic::default().fit(&data).unwrap());
    let fisher = of(&Fisher::default().fit(&data).unwrap());
    let linear = of(&Linear::default().fit(&data).unwrap());
    [log, fisher, linear, of(&Quadratic::default().fit(&data).unwrap())].concat()
}

#[test]
fn rows_and_columns_give_the_same_bits() {
    for width in WIDTHS {
        let (table, outcome) = table(width);
        let column = |j: usize| table.iter().skip(j).step_by(width).copied().collect::<Vec<f64>>();
        let columns: Vec<Vec<f64>> = (0..width).map(column).collect();
        let by_columns = numbers(columns.iter().map(|c| c.as_slice().into()).collect(), &outcome);
        assert_eq!(numbers(Column::of_rows(&table, width), &outcome), by_columns);
        // Eighths are exact in single precision.
        let single: Vec<f32> = table.iter().map(|&value| value as f32).collect();
        assert_eq!(numbers(Column::of_rows(&single, width), &outcome), by_columns);
        // Columns that are not in their order do not lie side by side.
        let mut mixed = Column::of_rows(&single, width);
        mixed.swap(0, 2);
        mixed.swap(0, 2);
        mixed[1] = columns[1].as_slice().into();
        assert_eq!(numbers(mixed, &outcome), by_columns);
        let mut turned = Column::of_rows(&single, width);
        turned.reverse();
        let mut expected: Vec<Column> = columns.iter().map(|c| c.as_slice().into()).collect();
        expected.reverse();
        assert_eq!(numbers(turned, &outcome), numbers(expected, &outcome));
    }
}

#[test]
fn a_part_of_the_rows_is_that_part() {
    let (table, _) = table(3);
    for column in Column::of_rows(&table, 3) {
        let all: Vec<f64> = column.values().collect();
        assert_eq!(column.len(), ROWS);
        let part: Vec<f64> = column.slice(100..250).values().collect();
        assert_eq!(part, all[100..250]);
        assert!(column.slice(ROWS..ROWS).is_empty());
        assert_eq!(column.into_owned().values().collect::<Vec<_>>(), all);
    }
}

/// What a model says of columns, as numbers or as a sentence.
fn said(model: &impl Estimator, features: Vec<Column>, block: Block) -> Result<Vec<f64>, String> {
    let names = names(features.len());
    let block = Block { features, ..block };
    let fit = model.fit_columns(names, block).map_err(|error| error.to_string())?;
    Ok(of(&fit))
}

/// The same of all models.
fn all_said(
    features: &[Column],
    outcome: &[f32],
    weight: Option<&[f64]>,
) -> Vec<Result<Vec<f64>, String>> {
    let block = || Block { weight: weight.map(Into::into), ..block(Vec::new(), outcome) };
    vec![
        said(&Logistic::default(), features.to_vec(), block()),
        said(&Fisher::default(), features.to_vec(), block()),
        said(&Linear::default(), features.to_vec(), block()),
        said(&Quadratic::default(), features.to_vec(), block()),
    ]
}

#[test]
fn fits_that_check_on_the_way_are_those_of_checked_rows() {
    let (table, outcome) = table(4);
    let features = Column::of_rows(&table, 4);
    let unchecked: Vec<f64> =
        all_said(&features, &outcome, None).into_iter().flat_map(Result::unwrap).collect();
    assert_eq!(unchecked, numbers(features, &outcome));
}

#[test]
fn a_number_that_is_not_finite_is_found_wherever_it_is() {
    let (table, outcome) = table(4);
    // A row that counts for nothing is looked at as well.
    let mut weight = vec![1.0; ROWS];
    weight[5000] = 0.0;
    for (row, column) in [(0, 0), (5000, 1), (4096, 2), (ROWS - 1, 3)] {
        for wrong in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let mut table = table.clone();
            table[4 * row + column] = wrong;
            let expected =
                Err(format!("feature 'x{column}' is {wrong}, which is not a finite number"));
            let rows = Column::of_rows(&table, 4);
            let columns: Vec<Column> =
                rows.iter().map(|column| column.clone().into_owned()).collect();
            for features in [rows, columns] {
                let checked = ColumnsView::new(names(4), block(features.clone(), &outcome));
                assert_eq!(checked.map(|_| Vec::new()).map_err(|e| e.to_string()), expected);
                for weight in [None, Some(&weight[..])] {
                    for said in all_said(&features, &outcome, weight) {
                        assert_eq!(said, expected);
                    }
                }
            }
        }
    }
}

#[test]
fn a_wrong_value_beside_the_features_is_named_and_the_first_of_several() {
    let (table, mut outcome) = table(3);
    let features = Column::of_rows(&table, 3);
    outcome[7000] = 2.0;
    for said in all_said(&features, &outcome, None) {
        assert_eq!(said, Err("outcome 2 is not between 0 (lost) and 1 (won)".to_owned()));
    }
    let mut weight = vec![1.0; ROWS];
    weight[6999] = -1.0;
    for said in all_said(&features, &outcome, Some(&weight)) {
        assert_eq!(said, Err("weight -1 is not a finite number of at least 0".to_owned()));
    }
}
