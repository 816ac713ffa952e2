//! How the page was made: enough to make it again.

use std::fmt::Write;

use discern_experiment::{Reproduction, Run};

use crate::markup::{Cells, Table, escape};
use crate::numbers::{allowance, count, decimal, duration};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let run = &reproduction.run;
    let mut body = format!(
        "<p>The same command on the same files makes the same positions, tables and weights. The \
         matches are played on the clock and will come out a little differently each time.</p>\n\
         <pre>{}</pre>\n",
        escape(&run.command)
    );
    let mut facts = Table::new("The run", [("What", Cells::Words), ("Value", Cells::Words)]);
    for (name, fact) in [
        ("Program", escape(&run.program)),
        ("Preset", run.preset.word().to_owned()),
        ("Machine", escape(&run.machine)),
        ("Load of the machine", load(run)),
        ("Games at a time", count(run.concurrency)),
        ("Seed", run.seed.to_string()),
        ("Openings", count(run.openings)),
        ("Clock for the paper’s 30 minutes", allowance(run.thirty_minutes)),
        ("Started", escape(&run.started)),
        ("Finished", escape(&run.finished)),
        ("Time spent", duration(run.seconds)),
        ("Layout of the numbers", format!("version {}", reproduction.format)),
    ] {
        facts.row(vec![name.to_string(), fact]);
    }
    body.push_str(&facts.html());
    let columns = [
        ("File", Cells::Words),
        ("Bytes", Cells::Numbers),
        ("BLAKE3 of its contents", Cells::Words),
    ];
    let mut files = Table::new("Files read and made", columns);
    for file in &run.files {
        files.row(vec![
            escape(&file.role),
            count(file.bytes),
            format!("<code>{}</code>", escape(&file.blake3)),
        ]);
    }
    let _ = writeln!(body, "<div class=\"file-list\">{}</div>", files.html());
    body.push_str(
        "<h3>The paper</h3>\n<p>Michael Buro: <cite>Statistical Feature Combination for the \
         Evaluation of Game Positions</cite>. Journal of Artificial Intelligence Research 3 (1995), \
         373–382.</p>\n",
    );
    Section { id: "run", title: "How this was made", body }
}

/// How busy the machine was, and a warning if it was not ours alone.
fn load(run: &Run) -> String {
    let Some(load) = run.load else { return "not recorded".to_owned() };
    let wanted = decimal(load, 1);
    match load > run.concurrency as f64 + 0.5 {
        true => format!(
            "{wanted} processes wanted a processor on average, more than the {} games at a time: \
             others were at work. Clocks count processor time, but caches were shared",
            run.concurrency
        ),
        false => format!("{wanted} processes wanted a processor on average: ours alone"),
    }
}
