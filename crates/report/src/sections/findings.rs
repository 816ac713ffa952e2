//! What agrees with the paper and what does not.

use discern_experiment::{Reproduction, Verdict};

use crate::markup::{Cells, Table, capitalised, escape};
use crate::page::Section;
use crate::wording::Wording;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let columns = [
        ("Claim", Cells::Words),
        ("The paper", Cells::Words),
        ("Here", Cells::Words),
        ("Verdict", Cells::Words),
    ];
    let mut table = Table::new("The paper’s claims against our numbers", columns).cards();
    for finding in &reproduction.findings {
        let Wording { claim, paper, ours } = Wording::of(finding);
        table.row(vec![
            escape(&capitalised(&claim)),
            escape(&paper),
            escape(&ours),
            verdict(finding.verdict).to_string(),
        ]);
    }
    let body = format!(
        "<p>“Differs” means beyond the uncertainty of our numbers; “open” means that the \
         uncertainty is larger than the difference that matters, and more games would be needed \
         to tell.</p>\n{}",
        table.html()
    );
    Section { id: "findings", title: "What agrees and what does not", body }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "<span class=\"word agrees\">✓ agrees</span>",
        Verdict::Differs => "<span class=\"word differs\">✗ differs</span>",
        Verdict::Open => "<span class=\"word open\">? open</span>",
    }
}
