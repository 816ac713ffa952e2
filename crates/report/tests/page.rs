//! The report as a reader, a parser and a screen reader meet it.

mod sample;

use std::collections::HashSet;

use discern_arena::stats::Interval;
use discern_experiment::{
    Allowance, Companions, FORMAT, Reproduction, Studied, Study, StudyMatch, StudyQuality,
    StudyResults,
};
use discern_report::csv_files;
use discern_stats::Measured;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

/// The page of results with nothing beside them.
fn html(reproduction: &Reproduction) -> String {
    discern_report::html(reproduction, &Companions::default())
}

/// Reads the page with a parser that forgives nothing.
fn parse(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    match Document::parse_with_options(page, options) {
        Ok(document) => document,
        Err(error) => {
            let line = page.lines().nth(error.pos().row as usize - 1).unwrap_or_default();
            panic!("{error}: {}", line.chars().take(300).collect::<String>());
        }
    }
}

fn text(node: Node) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

fn section<'a>(document: &'a Document, id: &str) -> Node<'a, 'a> {
    let found = document.descendants().find(|node| node.attribute("id") == Some(id));
    found.unwrap_or_else(|| panic!("there is no section {id}"))
}

fn plain(text: &str) -> String {
    text.replace('\u{202f}', " ")
}

/// A sample small enough to change every number of.
fn small() -> Reproduction {
    let mut small = sample::reproduction();
    small.database.phases.truncate(3);
    small.densities.bins = small.densities.bins[20..24].to_vec();
    small.winning_curve.bins.truncate(3);
    small.winning_curve.curve.truncate(4);
    small.fits = small.fits[10..12].to_vec();
    small.table.truncate(2);
    small.equal_strength.truncate(2);
    for model in &mut small.quality.models {
        model.calibration.truncate(2);
        model.quality.phases.truncate(2);
        for phase in &mut model.quality.phases {
            phase.calibration.truncate(2);
        }
    }
    for one in &mut small.quality.singles {
        one.pooled.counts.truncate(2);
        one.own.counts.truncate(2);
    }
    small
}

/// A reproduction in which nothing was recorded.
fn empty() -> Reproduction {
    let mut empty = sample::reproduction();
    empty.run.files.clear();
    empty.database.phases.clear();
    (empty.database.games, empty.database.all.positions) = (0, 0);
    empty.densities.bins.clear();
    empty.winning_curve.bins.clear();
    empty.winning_curve.curve.clear();
    empty.fits.clear();
    empty.quality.models.clear();
    empty.quality.gaps.clear();
    empty.quality.singles.clear();
    empty.speed.clear();
    empty.table.clear();
    empty.equal_strength.clear();
    empty.findings.clear();
    empty
}

/// The places of all leaves of a kind, as JSON pointers.
fn leaves(value: &Value, wanted: fn(&Value) -> bool) -> Vec<String> {
    fn walk(value: &Value, path: String, wanted: fn(&Value) -> bool, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => fields
                .iter()
                .for_each(|(name, value)| walk(value, format!("{path}/{name}"), wanted, found)),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .for_each(|(index, value)| walk(value, format!("{path}/{index}"), wanted, found)),
            leaf if wanted(leaf) => found.push(path),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(value, String::new(), wanted, &mut found);
    found
}

/// Parts of the libraries' results that no figure or table needs.
const NOT_DRAWN: [&str; 30] = [
    "/database/corrections",
    "/database/edges",
    "/database/visits",
    "/database/groups",
    "/database/over",
    "/database/disputed",
    "/database/losses",
    "/database/wins",
    "/database/games_without_result",
    "/database/without_label",
    "/new_by_correction",
    "/scores",
    "/shared",
    "/solved",
    "/database/phases/0/changed",
    "/database/phases/1/changed",
    "/database/phases/2/changed",
    "/covariance_share",
    "/chi_squared",
    "/degrees_of_freedom",
    "/discordance/pairs",
    "/agreement/positions",
    "/range/",
    "/elo/low",
    "/elo/high",
    "/normalized_elo",
    "/superiority",
    "/sign",
    "/margin/interval",
    "/claim/slowdown/ours/nodes_per_second",
];

/// Words with a fixed set of values, each with another one of its set.
const ENUMS: [(&str, &str); 8] = [
    ("agrees", "differs"),
    ("differs", "agrees"),
    ("open", "agrees"),
    ("quick", "paper"),
    ("converged", "stalled"),
    ("almost-equal", "may-pay"),
    ("little-to-gain", "may-pay"),
    ("stronger", "equal"),
];

#[test]
fn every_number_and_every_word_shows() {
    let original = small();
    let page = html(&original);
    // What is not on the page is in a file that it links to.
    let linked = |reproduction: &Reproduction| {
        csv_files(reproduction).into_iter().map(|file| file.text).collect::<Vec<_>>()
    };
    let files = linked(&original);
    let value = serde_json::to_value(&original).unwrap();
    let mut leaves = leaves(&value, |leaf| leaf.is_number() || leaf.is_string());
    leaves.retain(|leaf| !NOT_DRAWN.iter().any(|name| leaf.contains(name)));
    // Half of each matrix of correlations is drawn.
    leaves.retain(|leaf| !leaf.contains("/correlations/"));
    assert!(leaves.len() > 400, "{}", leaves.len());
    let mut without_effect = Vec::new();
    for leaf in leaves {
        let mut changed = value.clone();
        let place = changed.pointer_mut(&leaf).unwrap();
        *place = match place.clone() {
            Value::Number(number) if number.is_u64() => (number.as_u64().unwrap() + 7).into(),
            Value::Number(number) => (number.as_f64().unwrap() * 1.5 + 0.13).into(),
            Value::String(word) => match ENUMS.iter().find(|(one, _)| *one == word) {
                Some((_, another)) => (*another).into(),
                None => format!("{word} else").into(),
            },
            other => other,
        };
        let changed = serde_json::from_value(changed).unwrap();
        if html(&changed) == page && linked(&changed) == files {
            without_effect.push(leaf);
        }
    }
    assert!(without_effect.is_empty(), "the page does not show {without_effect:#?}");
}

#[test]
fn the_page_is_well_formed_with_and_without_data() {
    for reproduction in [sample::reproduction(), small(), empty()] {
        let page = html(&reproduction);
        let document = parse(&page);
        assert_eq!(document.root_element().tag_name().name(), "html");
        for wrong in ["NaN", "inf ", "None", "Some("] {
            assert!(!text(document.root_element()).contains(wrong), "{wrong} is no text");
        }
    }
}

#[test]
fn hostile_text_stays_text() {
    let evil = "<script>alert('&\")</script>\u{0}\u{1b}</style></svg>";
    let mut value = serde_json::to_value(small()).unwrap();
    for leaf in leaves(&value, Value::is_string) {
        let word = value.pointer(&leaf).unwrap().as_str().unwrap();
        if ENUMS.iter().all(|(one, _)| *one != word) {
            *value.pointer_mut(&leaf).unwrap() = evil.into();
        }
    }
    let page = html(&serde_json::from_value(value).unwrap());
    let document = parse(&page);
    let scripts = document.descendants().filter(|node| node.has_tag_name("script")).count();
    assert_eq!(scripts, 0);
    assert!(text(section(&document, "run")).contains("<script>alert('&\")</script>"));
}

#[test]
fn nothing_is_loaded_from_elsewhere_and_every_link_leads_somewhere() {
    let reproduction = sample::reproduction();
    let page = html(&reproduction);
    let document = parse(&page);
    let beside: HashSet<&str> =
        csv_files(&reproduction).iter().map(|file| file.name).chain(["numbers.json"]).collect();
    let mut ids = HashSet::new();
    for id in document.descendants().filter_map(|node| node.attribute("id")) {
        assert!(ids.insert(id), "two elements are called {id}");
    }
    let mut linked = HashSet::new();
    for node in document.descendants().filter(Node::is_element) {
        assert!(!["script", "link", "img", "iframe"].contains(&node.tag_name().name()));
        for name in ["src", "srcset", "data", "action", "style", "onload", "onclick"] {
            assert_eq!(node.attribute(name), None);
        }
        match node.attribute("href") {
            Some(href) if href.starts_with('#') => assert!(ids.contains(&href[1..]), "{href}"),
            Some(href) => assert!(beside.contains(href) && linked.insert(href), "{href}"),
            None => {}
        }
        if node.tag_name().name() == "style" {
            let sheet = text(node);
            assert!(!sheet.contains("url(") && !sheet.contains("@import"));
        }
    }
    assert_eq!(linked, beside, "every file beside the page is linked");
}

#[test]
fn readers_who_cannot_see_get_names_for_everything() {
    let page = html(&sample::reproduction());
    let document = parse(&page);
    let named = |name: &'static str| {
        document.descendants().filter(move |node| node.tag_name().name() == name)
    };
    let child = |node: Node, name: &str| {
        node.children().find(|child| child.tag_name().name() == name).map(text).unwrap_or_default()
    };
    assert!(named("svg").count() > 40);
    for svg in named("svg").filter(|svg| svg.attribute("aria-hidden").is_none()) {
        assert_eq!(svg.attribute("role"), Some("img"));
        assert!(!child(svg, "title").is_empty());
    }
    assert!(named("table").count() > 10);
    for table in named("table") {
        assert!(!child(table, "caption").is_empty());
    }
    for header in named("th") {
        assert!(matches!(header.attribute("scope"), Some("col" | "row")));
    }
    for figure in named("figure") {
        assert!(child(figure, "figcaption").len() > 100, "a caption says what to see");
    }
    let entries = named("nav").next().unwrap().descendants();
    let entries = entries.filter(|node| node.tag_name().name() == "a").count();
    assert_eq!(entries, named("section").count());
}

#[test]
fn table_one_shows_the_paper_next_to_ours() {
    let reproduction = sample::reproduction();
    let page = html(&reproduction);
    let document = parse(&page);
    let rows: Vec<String> = section(&document, "matches")
        .descendants()
        .filter(|node| node.tag_name().name() == "tr")
        .map(|node| plain(&text(node)))
        .collect();
    let first = rows.iter().find(|row| row.starts_with("LOG – QUAD30 – 30 min")).unwrap();
    for part in ["116–15–69", "61.8 %", "109–22–69", "60.0 %", "54.9 to 64.9 %", "p = 0.040"]
    {
        assert!(first.contains(part), "{part} is not in {first}");
    }
    assert_eq!(first.matches("significant").count(), 3, "the paper and both tests");
    assert_eq!(first.matches("not significant").count(), 0);
    let third = rows.iter().find(|row| row.starts_with("LOG – FISHER30 – 30 min")).unwrap();
    assert!(third.contains("55.3 %"), "as the paper prints it: {third}");
    assert_eq!(third.matches("not significant").count(), 2);
}

#[test]
fn unknown_factors_are_told_in_words() {
    let page = plain(&html(&sample::reproduction()));
    assert!(page.contains("1.02 to 1.58"));
    assert!(page.contains("1.31 or more"));
    assert!(page.contains("our matches do not decide it. The paper"));
    assert!(page.contains("no limits can be set") && !page.contains("unbounded"));
}

#[test]
fn a_run_that_recorded_nothing_says_so_in_every_section() {
    let page = html(&empty());
    let document = parse(&page);
    for id in ["positions", "densities", "curve", "weights", "covariances", "calibration"]
        .into_iter()
        .chain(["discordance", "agreement", "speed", "matches", "factors", "findings", "short"])
    {
        let missing = section(&document, id)
            .descendants()
            .filter(|node| node.attribute("class") == Some("missing"))
            .count();
        assert!(missing > 0, "{id}");
    }
}

#[test]
fn numbers_that_are_none_do_not_break_the_drawings() {
    let mut reproduction = sample::reproduction();
    let row = &mut reproduction.table[0];
    (row.ours.elo.value, row.ours.elo.error) = (f64::NAN, f64::INFINITY);
    row.ours.label_swap = f64::NAN;
    row.ours.score_interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    reproduction.fits[3].models[0].weights[2].value = f64::NAN;
    reproduction.fits[4].models[0].weights[2].standard_error = Some(f64::INFINITY);
    reproduction.fits[5].models[1].weights.clear();
    reproduction.quality.models[1].quality.phases.truncate(1);
    let quality = &mut reproduction.quality.models[2].quality;
    quality.phases[0].metrics.discordance.as_mut().unwrap().standard_error = f64::NAN;
    reproduction.speed[2].relative = 0.0;
    let page = html(&reproduction);
    parse(&page);
    for number in ["NaN", "inf\"", "inf ", "inf<"] {
        assert!(!page.contains(number), "{number}");
    }
}

#[test]
fn the_page_is_small_enough_to_mail() {
    let size = html(&sample::reproduction()).len();
    assert!(size < 400_000, "{size} bytes");
}

#[test]
fn csv_files_hold_every_row_at_full_precision() {
    let reproduction = sample::reproduction();
    let files = csv_files(&reproduction);
    let rows = |name: &str| {
        let file = files.iter().find(|file| file.name == name).unwrap();
        let mut reader = csv::Reader::from_reader(file.text.as_bytes());
        let header = reader.headers().unwrap().clone();
        (header, reader.records().map(Result::unwrap).collect::<Vec<_>>())
    };
    assert_eq!(rows("matches.csv").1.len(), 7);
    assert_eq!(rows("findings.csv").1.len(), reproduction.findings.len());
    assert_eq!(rows("calibration.csv").1.len(), 3 * (10 + 7 * 10));
    let (header, weights) = rows("weights.csv");
    assert_eq!(weights.len(), reproduction.fits.len() * 28);
    let column = header.iter().position(|name| name == "weight").unwrap();
    assert_eq!(weights[1][column].parse(), Ok(reproduction.fits[0].models[0].weights[1].value));
    let (_, factors) = rows("equal-strength.csv");
    assert_eq!(&factors[2][3], "", "what is not known is empty");
}

#[test]
fn what_lies_beside_the_results_becomes_sections() {
    let long = sample::reproduction();
    let mut short = long.clone();
    short.run.thirty_minutes = Allowance::Seconds(0.6);
    short.table[0].ours.tally.wins -= 20;
    let measured = Measured { value: 0.41, standard_error: 0.01 };
    let quality = StudyQuality {
        discordance: 0.13,
        log_loss: measured,
        brier: measured,
        off: [1, 140],
        worst: 0.06,
        jump: 0.03,
    };
    let candidate = |title: &str, matches| Studied {
        title: title.into(),
        description: "a <model>".into(),
        training_positions: 1000,
        quality: quality.clone(),
        gap: None,
        nanoseconds: Some(40.0),
        speed: Some(long.speed[0].clone()),
        matches,
    };
    let played = StudyMatch {
        allowed: Allowance::NodesPerMove(2000),
        ours: long.table[1].ours.clone(),
        nodes_per_game: [100.0, 90.0],
    };
    let rivals = StudyResults {
        format: FORMAT,
        study: Study::Rivals,
        run: long.run.clone(),
        test_positions: 500,
        test: "positions of held-out games".into(),
        yardstick: "LOG".into(),
        candidates: vec![candidate("LOG", vec![]), candidate("MITCHELL", vec![played])],
    };
    let again = StudyResults::from_json(rivals.to_json().as_bytes()).unwrap();
    assert_eq!(again, rivals);

    let beside = Companions { tenth: Some(short), studies: vec![rivals] };
    let page = discern_report::html(&long, &beside);
    let document = parse(&page);
    let shorter = plain(&text(section(&document, "shorter")));
    assert!(shorter.contains("0.60 s") && shorter.contains("LOG – QUAD, 30 – 30"), "{shorter}");
    assert!(shorter.contains("+4.4 ± 7.1"), "{shorter}");
    assert!(text(section(&document, "rivals")).contains("MITCHELL"));
    let place = |id: &str| page.find(&format!("<section id=\"{id}\"")).unwrap();
    assert!(place("factors") < place("shorter") && place("rivals") < place("findings"));
}
