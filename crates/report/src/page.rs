//! The whole page: head, contents, sections.

use std::fmt::Write;

use discern_experiment::{Companions, Reproduction, StudyResults};

use crate::chart::{Theme, style_sheet as chart_style_sheet};
use crate::csv_files::csv_files;
use crate::markup::escape;
use crate::sections as parts;

/// One section of the report and its line in the table of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its anchor.
    pub id: &'static str,
    /// Its heading in plain text.
    pub title: &'static str,
    /// Everything below the heading, in HTML that is well-formed XML.
    pub body: String,
}

/// How the content of sections looks, wherever it stands.
const CONTENT: &str = include_str!("content.css");

/// The sections of the report, for a page that puts them into an element of
/// class `report` and has [`style_sheet`].
pub fn sections(reproduction: &Reproduction) -> Vec<Section> {
    let sections = parts::ALL.iter().map(|section| without_breaks(section(reproduction)));
    sections.collect()
}

/// No line breaks before a per cent sign, in prose as in numbers.
fn without_breaks(section: Section) -> Section {
    Section { body: section.body.replace(" %", "\u{202f}%"), ..section }
}

/// A study that lies beside a reproduction, as a section of its report.
fn companion(found: &StudyResults) -> Section {
    let section = parts::study::section(found);
    let page = format!("{}/index.html", found.study.word());
    let body = format!("{}<p>How it was made: <a href=\"{page}\">{page}</a>.</p>\n", section.body);
    Section { body, ..section }
}

/// The style sheet of [`sections`] for a page that sets `color-scheme` to light
/// or dark, and these variables of class `report`: `--sheet`, `--raised`,
/// `--ink`, `--quiet`, `--rule`, `--link`, `--agrees`, `--differs`, `--open`,
/// `--edge`, `--sans`, `--serif`, `--mono`.
pub fn style_sheet() -> String {
    format!("{CONTENT}\n{}\n", chart_style_sheet(Theme::Scheme))
}

/// The report of a reproduction as one HTML page that needs nothing but itself.
///
/// It links to the files of [`crate::csv_files`] and to `numbers.json` beside it,
/// and shows what else lies there.
pub fn html(reproduction: &Reproduction, beside: &Companions) -> String {
    let mut sections = sections(reproduction);
    let more = beside.tenth.iter().map(|tenth| parts::shorter::section(reproduction, tenth));
    let more = more.chain(beside.studies.iter().map(companion));
    let end = sections.iter().position(|section| section.id == "findings");
    let end = end.unwrap_or(sections.len());
    sections.splice(end..end, more.map(without_breaks));
    sections.push(files(reproduction));
    let opening = parts::opening(reproduction).replace(" %", "\u{202f}%");
    let title = "Which statistics play the better game? A reproduction of Buro 1995";
    page(title, &reproduction.run.program, opening, &sections)
}

/// The report of a study as one HTML page, which links to its file of numbers.
pub fn study_html(found: &StudyResults) -> String {
    let Section { id, title, body } = without_breaks(parts::study::section(found));
    let opening = format!("<header>\n<h1>{}</h1>\n</header>\n", escape(title));
    let (run, file) = (&found.run, found.study.file());
    let load = run.load.map_or(String::new(), |load| format!(", load {load:.1}"));
    let how = format!(
        "<p><code>{}</code>, {}: {} openings, each played twice; {}{load}; begun {}, finished {}, \
         {:.0} s.</p>\n<p>All numbers: <a href=\"{file}\">{file}</a>.</p>\n",
        escape(&run.command),
        escape(&run.program),
        run.openings,
        escape(&run.machine),
        escape(&run.started),
        escape(&run.finished),
        run.seconds,
    );
    let sections =
        [Section { id, title, body }, Section { id: "run", title: "The run", body: how }];
    page(title, &run.program, opening, &sections)
}

fn page(title: &str, program: &str, opening: String, sections: &[Section]) -> String {
    let mut page = opening;
    contents(&mut page, sections);
    page.push_str("<main id=\"content\" class=\"report\">\n");
    for section in sections {
        let _ = write!(
            page,
            "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{}</h2>\n{}</section>\n",
            escape(section.title),
            section.body,
            id = section.id,
        );
    }
    format!(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <meta name=\"generator\" content=\"{}\"/>\n\
         <title>{}</title>\n\
         <style>\n{}\n{CONTENT}\n{}\n</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>\n{page}</main>\n</body>\n</html>\n",
        escape(program),
        escape(title),
        include_str!("page.css"),
        chart_style_sheet(Theme::Media),
    )
}

/// The files beside the page.
fn files(reproduction: &Reproduction) -> Section {
    let mut body = String::from(
        "<p>Every number of this page is in the files beside it.</p>\n<ul>\n\
         <li><a href=\"numbers.json\">numbers.json</a>: everything</li>\n",
    );
    for file in csv_files(reproduction) {
        let (name, content) = (escape(file.name), escape(file.content));
        let _ = writeln!(body, "<li><a href=\"{name}\">{name}</a>: {content}</li>");
    }
    Section { id: "files", title: "All numbers", body: body + "</ul>\n" }
}

fn contents(out: &mut String, sections: &[Section]) {
    out.push_str("<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n");
    for section in sections {
        let _ = writeln!(out, "<li><a href=\"#{}\">{}</a></li>", section.id, escape(section.title));
    }
    out.push_str("</ol>\n</nav>\n");
}
