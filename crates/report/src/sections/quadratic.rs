//! What is in QUAD beside a linear formula.

use discern_experiment::{ClassCorrelations, PhaseFit, Reproduction, Weight};

use crate::drawings::square;
use crate::markup::{Cells, Figure, Table, escape, missing};
use crate::numbers::{interval_of, significant, significant_range};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let mut body = String::from(
        "<p>QUAD adds to its linear terms the square of every feature and the product of every \
         two. How large these are shows whether the two classes differ in shape; whether that is \
         worth its time is for the matches to say.</p>\n",
    );
    let shown = reproduction.fits.iter().find_map(|fit| {
        let shapes = fit.correlations.as_ref()?;
        (!shapes.quadratic.is_empty()).then_some((fit, shapes))
    });
    match shown {
        Some((fit, shapes)) => {
            body.push_str(&picture(fit.discs, shapes).html());
            body.push_str(&table(fit).html());
        }
        None => body.push_str(&missing("QUAD’s quadratic terms: nothing was recorded.")),
    }
    Section { id: "quadratic", title: "QUAD’s squares and products", body }
}

fn picture(discs: usize, shapes: &ClassCorrelations) -> Figure {
    let terms = &shapes.quadratic;
    let deepest = terms.iter().flatten().map(|term| term.abs()).fold(0.0, f64::max);
    let title = format!("Quadratic terms of QUAD at {discs} discs");
    Figure {
        id: "quadratic-figure",
        title: format!("Squares and products at {discs} discs."),
        caption: format!(
            "By how much a term changes the log-odds where its features are one standard deviation \
             from 0: blue in favour of a win, red against it, the deepest {}. On the diagonal are \
             the squares; a product stands on both sides of it. Next to them, log-odds of 1 are a \
             chance of 73 %.",
            significant(deepest)
        ),
        body: square(&title, &shapes.features, deepest, |i, j| terms.get(i)?.get(j).copied()),
        numbers: Vec::new(),
    }
}

/// The constant, the linear terms and the squares of the phase that is drawn.
fn table(fit: &PhaseFit) -> Table {
    let columns = [
        ("Feature", Cells::Words),
        ("Linear", Cells::Numbers),
        ("95 % interval", Cells::Numbers),
        ("Square", Cells::Numbers),
        ("95 % interval", Cells::Numbers),
    ];
    let title = format!(
        "QUAD’s constant, linear terms and squares at {} discs; intervals for normally distributed \
         features. Those of all phases are in weights.csv",
        fit.discs
    );
    let mut table = Table::new(title, columns);
    let quad = fit.models.iter().find(|model| model.model == "QUAD");
    let weights = quad.map_or(&[][..], |quad| &quad.weights);
    let find = |name: &str| weights.iter().find(|weight| weight.feature == name);
    let cells = |weight: Option<&Weight>| match weight {
        Some(weight) => {
            let error = weight.standard_error.unwrap_or(f64::NAN);
            let (low, high) = interval_of(weight.value, error);
            [significant(weight.value), significant_range(low, high)]
        }
        None => ["–".to_owned(), "–".to_owned()],
    };
    for weight in weights.iter().filter(|weight| !weight.feature.contains('²')) {
        let [linear, linear_range] = cells(Some(weight));
        let [square, square_range] = cells(find(&format!("{}²", weight.feature)));
        table.row(vec![escape(&weight.feature), linear, linear_range, square, square_range]);
    }
    table
}
