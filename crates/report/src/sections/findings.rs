//! What agrees with the paper and what does not.

use discern_experiment::{EQUIVALENCE_MARGIN, Reproduction, Verdict, superiorities};

use crate::markup::{Cells, Table, capitalised, escape};
use crate::numbers::{decimal, p_value};
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
         to tell. Two players are “equal” if the whole 95 % interval lies within {} points of \
         50 %: a margin fixed beforehand, so that few games never make anybody equal.</p>\n{}{}",
        decimal(EQUIVALENCE_MARGIN, 0),
        table.html(),
        many(reproduction),
    );
    Section { id: "findings", title: "What agrees and what does not", body }
}

/// How many claims there are, and which of them stand all at once.
fn many(reproduction: &Reproduction) -> String {
    let claims = superiorities(reproduction);
    if claims.is_empty() {
        return String::new();
    }
    let alone = claims.iter().filter(|claim| claim.p < 0.05).count();
    let together = claims.iter().filter(|claim| claim.holm < 0.05).count();
    let columns = [
        ("Superiority", Cells::Words),
        ("p alone", Cells::Numbers),
        ("p among all", Cells::Numbers),
    ];
    let mut table = Table::new("Claims of superiority and how many there are", columns);
    for claim in &claims {
        table.row(vec![
            escape(&capitalised(&claim.claim)),
            escape(&p_value(claim.p)),
            escape(&p_value(claim.holm)),
        ]);
    }
    format!(
        "<p>Among {} claims that one model is better than another, one in twenty would seem \
         significant by chance alone. Taken singly, {alone} of them are at 5 %; with Holm’s \
         correction for their number, {together}.</p>\n{}",
        claims.len(),
        table.html()
    )
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "<span class=\"word agrees\">✓ agrees</span>",
        Verdict::Differs => "<span class=\"word differs\">✗ differs</span>",
        Verdict::Open => "<span class=\"word open\">? open</span>",
    }
}
