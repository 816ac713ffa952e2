//! The few pieces every section is made of: escaped text, figures, tables.
//!
//! What these return is well-formed XML as well as HTML, so that a test can
//! read the page back with a strict parser.

use std::fmt::Write;

use crate::chart::Chart;

/// Text that may stand between tags and in attributes. Characters XML does not
/// allow at all are replaced.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A phrase with its first letter in upper case.
pub(crate) fn capitalised(phrase: &str) -> String {
    let mut characters = phrase.trim().chars();
    characters
        .next()
        .map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

/// A paragraph instead of something there are no data for.
pub(crate) fn missing(sentence: &str) -> String {
    format!("<p class=\"missing\">{}</p>\n", escape(sentence))
}

/// The same drawing for wide and for narrow windows: text in a drawing scales
/// with it, so one drawing alone would be unreadable on a phone.
pub(crate) fn in_two_widths(wide: &str, narrow: &str) -> String {
    format!("<div class=\"wide\">{wide}</div>\n<div class=\"narrow\">{narrow}</div>\n")
}

/// A chart over the whole column, with its legend.
pub(crate) fn chart(chart: &Chart, height: f64) -> String {
    legend(chart)
        + &in_two_widths(
            &chart.clone().size(800.0, height).panel(),
            &chart.clone().size(344.0, 300.0).panel(),
        )
}

/// Small multiples side by side, with the legend of the first.
pub(crate) fn panels(charts: &[Chart], height: f64) -> String {
    let mut out = charts.first().map_or(String::new(), legend);
    out.push_str("<div class=\"panels\">\n");
    for chart in charts {
        let _ = writeln!(out, "<div>{}</div>", chart.clone().size(264.0, height).titled_panel());
    }
    out + "</div>\n"
}

/// Pictures and names of the series of a chart.
pub(crate) fn legend(chart: &Chart) -> String {
    let keys = chart.keys();
    if keys.is_empty() {
        return String::new();
    }
    let mut out = String::from("<ul class=\"legend\">");
    for (name, picture) in keys {
        // The name stands next to the picture, which need not be read out.
        let picture = picture.replacen("role=\"img\"", "aria-hidden=\"true\"", 1);
        let _ = write!(out, "<li>{picture} {}</li>", escape(&name));
    }
    out + "</ul>\n"
}

/// A figure: something drawn, what one should see in it, and its numbers.
pub(crate) struct Figure {
    /// Its anchor in the page.
    pub id: &'static str,
    /// What it is, in a few words of plain text.
    pub title: String,
    /// What one should see, in HTML.
    pub caption: String,
    /// The drawing in HTML.
    pub body: String,
    /// The numbers behind it, folded away.
    pub numbers: Vec<Table>,
}

impl Figure {
    pub fn html(&self) -> String {
        let tables: String = self.numbers.iter().map(Table::html).collect();
        let folded = if tables.is_empty() {
            String::new()
        } else {
            format!("<details><summary>The numbers</summary>\n{tables}</details>\n")
        };
        format!(
            "<figure id=\"{}\">\n{}<figcaption><strong>{}</strong> {}</figcaption>\n{}</figure>\n",
            self.id,
            self.body,
            escape(&self.title),
            self.caption,
            folded,
        )
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cells {
    Words,
    Numbers,
}

/// A table with a caption. The first cell of a row names the row.
pub(crate) struct Table {
    caption: String,
    columns: Vec<(String, Cells)>,
    rows: Vec<Vec<String>>,
    cards: bool,
}

impl Table {
    /// A table of these columns; caption and column names are plain text.
    pub fn new<N: Into<String>>(
        caption: impl Into<String>,
        columns: impl IntoIterator<Item = (N, Cells)>,
    ) -> Self {
        let columns = columns.into_iter().map(|(name, cells)| (name.into(), cells)).collect();
        Self { caption: caption.into(), columns, rows: Vec::new(), cards: false }
    }

    /// Narrow windows show every row as a card instead of scrolling sideways.
    pub fn cards(mut self) -> Self {
        self.cards = true;
        self
    }

    /// Adds a row of cells in HTML.
    pub fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns.len(), "{}", self.caption);
        self.rows.push(cells);
    }

    pub fn html(&self) -> String {
        if self.rows.is_empty() {
            return missing(&format!("{}: nothing was recorded.", self.caption));
        }
        // Cards lose the display of a table, and with it its meaning to
        // readers who cannot see it, unless roles say it again.
        let role = |name: &str| {
            if self.cards { format!(" role=\"{name}\"") } else { String::new() }
        };
        let mut out = format!(
            "<div class=\"scroll{}\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\">\
             <table{}><caption>{caption}</caption>\n<thead{}><tr{}>",
            if self.cards { " cards" } else { "" },
            role("table"),
            role("rowgroup"),
            role("row"),
            caption = escape(&self.caption),
        );
        for (name, cells) in &self.columns {
            let role = role("columnheader");
            let _ = write!(out, "<th scope=\"col\"{}{role}>{}</th>", class(*cells), escape(name));
        }
        let _ = write!(out, "</tr></thead>\n<tbody{}>\n", role("rowgroup"));
        for row in &self.rows {
            let _ = write!(out, "<tr{}>", role("row"));
            for (index, (cell, (name, cells))) in row.iter().zip(&self.columns).enumerate() {
                let class = class(*cells);
                if index == 0 {
                    let role = role("rowheader");
                    let _ = write!(out, "<th scope=\"row\"{class}{role}>{cell}</th>");
                } else if self.cards {
                    let (role, name) = (role("cell"), escape(name));
                    let _ = write!(
                        out,
                        "<td{class}{role} data-label=\"{name}\"><span>{cell}</span></td>"
                    );
                } else {
                    let _ = write!(out, "<td{class}>{cell}</td>");
                }
            }
            out.push_str("</tr>\n");
        }
        out + "</tbody></table></div>\n"
    }
}

fn class(cells: Cells) -> &'static str {
    match cells {
        Cells::Words => "",
        Cells::Numbers => " class=\"digits\"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_names_its_columns_and_rows() {
        let columns = [("model", Cells::Words), ("share", Cells::Numbers)];
        let mut table = Table::new("Shares & more", columns);
        table.row(vec!["LOG".into(), "1".into()]);
        let html = table.html();
        assert!(html.contains("<caption>Shares &amp; more</caption>"));
        assert!(html.contains("<th scope=\"col\" class=\"digits\">share</th>"));
        assert!(html.contains("<th scope=\"row\">LOG</th><td class=\"digits\">1</td>"));
        assert!(!html.contains("data-label"));
        assert!(table.cards().html().contains("data-label=\"share\""));
    }

    #[test]
    fn an_empty_table_says_so() {
        let html = Table::new("Matches", [("pairing", Cells::Words)]).html();
        assert_eq!(html, "<p class=\"missing\">Matches: nothing was recorded.</p>\n");
    }
}
