//! The whole page: head, contents, sections.

use std::fmt::Write;

use crate::chart::style_sheet;
use crate::markup::escape;
use crate::reproduction::Reproduction;
use crate::sections;

/// One section of the page and its line in the table of contents.
pub(crate) struct Section {
    /// Its anchor.
    pub id: &'static str,
    /// Its heading in plain text.
    pub title: &'static str,
    /// Everything below the heading, in HTML.
    pub body: String,
}

/// The report of a reproduction as one HTML page that needs nothing but itself.
///
/// It links to the files of [`crate::csv_files`] and to `numbers.json` beside it.
pub fn html(reproduction: &Reproduction) -> String {
    let sections: Vec<Section> =
        sections::ALL.iter().map(|section| section(reproduction)).collect();
    let mut page = sections::opening(reproduction);
    contents(&mut page, &sections);
    page.push_str("<main id=\"content\">\n");
    for section in &sections {
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
         <title>Which statistics play the better game? A reproduction of Buro 1995</title>\n\
         <style>\n{}\n{}\n</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>\n{}</main>\n</body>\n</html>\n",
        escape(&reproduction.run.program),
        include_str!("page.css"),
        style_sheet(),
        // No line breaks before a per cent sign, in prose as in numbers.
        page.replace(" %", "\u{202f}%"),
    )
}

fn contents(out: &mut String, sections: &[Section]) {
    out.push_str("<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n");
    for section in sections {
        let _ = writeln!(out, "<li><a href=\"#{}\">{}</a></li>", section.id, escape(section.title));
    }
    out.push_str("</ol>\n</nav>\n");
}
