use clap::Args;
use discern_fit::folds_of;
use discern_stats::Threads;

/// What fits of tables and of sparse rows ask alike.
#[derive(Args)]
pub struct RowArgs {
    /// Column that says how often a row counts
    #[arg(long, value_name = "COLUMN")]
    pub weight: Option<String>,
    /// Column of the game or other group whose rows are not independent
    #[arg(long, value_name = "COLUMN")]
    pub group: Option<String>,
    /// Folds of cross-validation by group; 0 for none [default: 5 with --group, else 0]
    #[arg(long, value_name = "K", value_parser = folds_of)]
    folds: Option<u32>,
    /// Threads; the result does not depend on it [default: all processors]
    #[arg(long, value_name = "N")]
    pub threads: Option<Threads>,
}

impl RowArgs {
    /// Groups are dealt to five folds if nobody says otherwise.
    pub fn folds(&self) -> u32 {
        self.folds.unwrap_or(if self.group.is_some() { 5 } else { 0 })
    }
}
