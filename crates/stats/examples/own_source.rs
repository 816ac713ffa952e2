//! Data that are made, or read from a file, anew for each pass: nothing but
//! sums is kept. And one fit per phase of the game.

use discern_stats::{Block, Blocks, Estimator, Examples, Logistic, Pooling, Threads};

/// Ten million rows would take no more memory than these.
struct Made {
    features: Vec<String>,
    blocks: u64,
}

impl Examples for Made {
    fn features(&self) -> &[String] {
        &self.features
    }

    fn blocks(&self) -> Blocks<'_> {
        Box::new((0..self.blocks).map(|block| Ok(made(block))))
    }
}

/// A block is the unit of a pass: rows of one phase, column by column.
fn made(block: u64) -> Block<'static> {
    let phase = (block % 5) as i32;
    let mut state = block.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    // What a lead is worth grows as the game goes on.
    let worth = 0.5 + 0.5 * f64::from(phase);
    let (mut leads, mut outcomes) = (Vec::new(), Vec::new());
    for _ in 0..2000 {
        let lead = 4.0 * random() - 2.0;
        let won = random() < 1.0 / (1.0 + (-worth * lead).exp());
        leads.push(lead);
        outcomes.push(f64::from(u8::from(won)));
    }
    Block {
        phase,
        features: vec![leads.into()],
        outcome: Some(outcomes.into()),
        ..Block::default()
    }
}

pub(crate) fn main() {
    let data = Made { features: vec!["lead".into()], blocks: 20 };
    let settings = Logistic { threads: Threads::new(2), ..Logistic::default() };
    let fits = settings.fit_phases(&data, Pooling(0)).expect("readable data");
    let worth: Vec<f64> =
        fits.into_iter().map(|(_, fit)| fit.expect("enough rows").coefficients[1]).collect();
    println!("a lead is worth {worth:.3?} logits in phases 0 to 4");
    assert!(worth.is_sorted() && worth.len() == 5);
}
