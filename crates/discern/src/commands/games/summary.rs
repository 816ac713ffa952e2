use std::collections::{BTreeMap, HashMap};

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_board::{Color, Game, Move, Outcome, Symmetry};
use discern_files::printable;
use discern_records::{GameRecord, Name};
use discern_report::{Align, TextTable};
use serde::Serialize;

use super::input::{Findings, Input};
use super::print;

/// Count games, players, results, lengths and openings.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern games summary all.games
  discern games summary wthor/ --top 20 --opening-moves 8
  discern games summary all.games --json")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// How many players and openings to list
    #[arg(long, default_value_t = 10)]
    top: usize,
    /// How many moves make an opening
    #[arg(long, default_value_t = 7)]
    opening_moves: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Everything that is counted on the way.
#[derive(Default)]
struct Counts {
    black: Results,
    score_sum: i64,
    plies: u64,
    passes: u64,
    annotated: u64,
    solved: u64,
    corrections: u64,
    endings: BTreeMap<String, u64>,
    lengths: BTreeMap<usize, u64>,
    players: HashMap<Name, Results>,
    openings: HashMap<String, u64>,
}

/// Results from one side's view.
#[derive(Default, Clone, Copy, Serialize)]
struct Results {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Results {
    fn add(&mut self, outcome: Option<Outcome>) {
        self.games += 1;
        match outcome {
            Some(Outcome::Win) => self.wins += 1,
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Loss) => self.losses += 1,
            None => {}
        }
    }

    fn decided(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins and half the draws of the games with a result, in per cent.
    fn percentage(&self) -> f64 {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        if self.decided() == 0 { 0.0 } else { 100.0 * points / self.decided() as f64 }
    }
}

impl Counts {
    fn add(&mut self, record: &GameRecord, opening_moves: usize) {
        let outcome = record.score_black.map(|score| score.outcome());
        self.black.add(outcome);
        self.score_sum += record.score_black.map_or(0, |score| score.discs().into());
        for color in Color::BOTH {
            let outcome = outcome.map(|black| if color == Color::Black { black } else { -black });
            self.players.entry(record.players[color].name.clone()).or_default().add(outcome);
        }
        let passes = record.game.moves().filter(|&mv| mv == Move::Pass).count();
        let plies = record.game.plies().len();
        self.plies += plies as u64;
        self.passes += passes as u64;
        self.annotated += u64::from(!record.notes.is_empty());
        self.solved += record.solved.len() as u64;
        self.corrections += u64::from(record.correction.is_some());
        *self.endings.entry(record.ending.to_string()).or_default() += 1;
        *self.lengths.entry(plies - passes).or_default() += 1;
        if let Some(opening) = opening(&record.game, opening_moves) {
            *self.openings.entry(opening).or_default() += 1;
        }
    }
}

/// The first moves, turned so that all images of a game agree: of the eight
/// transcripts the first in the alphabet. `None` for shorter games.
fn opening(game: &Game, moves: usize) -> Option<String> {
    let squares: Vec<_> = game.moves().filter_map(Move::square).take(moves).collect();
    if squares.len() < moves {
        return None;
    }
    let start = game.start().board;
    let images = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.board(start) == start);
    images.map(|symmetry| squares.iter().map(|&s| symmetry.square(s).to_string()).collect()).min()
}

/// What players call the opening of these moves from the usual start.
fn name(moves: &str) -> Option<&'static str> {
    discern_book::opening_of(&moves.parse().ok()?).map(|opening| opening.name)
}

#[derive(Serialize)]
struct Report {
    games: u64,
    faults: usize,
    unfinished: usize,
    black: Results,
    black_percentage: f64,
    mean_score_black: f64,
    plies: u64,
    passes: u64,
    annotated_games: u64,
    solved_positions: u64,
    corrections: u64,
    endings: BTreeMap<String, u64>,
    lengths: BTreeMap<usize, u64>,
    players: usize,
    top_players: Vec<PlayerLine>,
    opening_moves: usize,
    openings: usize,
    top_openings: Vec<OpeningLine>,
}

#[derive(Serialize)]
struct PlayerLine {
    name: String,
    #[serde(flatten)]
    results: Results,
    percentage: f64,
}

#[derive(Serialize)]
struct OpeningLine {
    moves: String,
    games: u64,
    /// What players call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
}

pub fn run(args: Args) -> Result<()> {
    let mut counts = Counts::default();
    let findings = args.input.read(|record, _, _| {
        counts.add(&record, args.opening_moves);
        Ok(())
    })?;
    let report = report(counts, &findings, &args);
    if args.json {
        print(&format!("{}\n", serde_json::to_string(&report)?))?;
    } else {
        print(&table(&report))?;
    }
    Findings { unfinished: Vec::new(), ..findings }.report_and_refuse()
}

fn report(counts: Counts, findings: &Findings, args: &Args) -> Report {
    let mut players: Vec<_> = counts.players.iter().collect();
    players.sort_by(|a, b| b.1.games.cmp(&a.1.games).then(a.0.cmp(b.0)));
    let mut openings: Vec<_> = counts.openings.iter().collect();
    openings.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let top_players = players.iter().take(args.top).map(|(name, results)| PlayerLine {
        name: if name.is_empty() { "unknown".to_owned() } else { name.to_string() },
        results: **results,
        percentage: results.percentage(),
    });
    let top_openings = openings.iter().take(args.top).map(|(moves, games)| OpeningLine {
        moves: moves.to_string(),
        games: **games,
        name: name(moves),
    });
    Report {
        games: findings.games,
        faults: findings.faults.len(),
        unfinished: findings.unfinished(),
        black: counts.black,
        black_percentage: counts.black.percentage(),
        mean_score_black: counts.score_sum as f64 / counts.black.decided().max(1) as f64,
        plies: counts.plies,
        passes: counts.passes,
        annotated_games: counts.annotated,
        solved_positions: counts.solved,
        corrections: counts.corrections,
        players: players.len(),
        top_players: top_players.collect(),
        opening_moves: args.opening_moves,
        openings: openings.len(),
        top_openings: top_openings.collect(),
        endings: counts.endings,
        lengths: counts.lengths,
    }
}

/// The report for people.
fn table(report: &Report) -> String {
    let mut lines = Vec::new();
    let mut fact = |word: &str, text: String| lines.push(format!("{word:<11}{text}"));
    fact("games", format!("{} ({} unfinished)", report.games, report.unfinished));
    let black = report.black;
    fact(
        "results",
        format!(
            "black won {}, drew {}, lost {}: {:.1} %, mean score {:+.2}",
            black.wins, black.draws, black.losses, report.black_percentage, report.mean_score_black
        ),
    );
    let endings: Vec<_> =
        report.endings.iter().map(|(ending, games)| format!("{ending} {games}")).collect();
    fact("endings", endings.join(", "));
    fact("plies", format!("{}, {} of them passes", report.plies, report.passes));
    let lengths = report.lengths.iter().rev().take(5);
    let lengths: Vec<_> = lengths.map(|(moves, games)| format!("{moves}: {games}")).collect();
    let shorter: u64 = report.lengths.iter().rev().skip(5).map(|(_, games)| games).sum();
    fact("moves", format!("{}, fewer: {shorter}", lengths.join(", ")));
    fact(
        "known",
        format!(
            "{} solved positions, {} games with notes, {} corrections",
            report.solved_positions, report.annotated_games, report.corrections
        ),
    );
    fact("players", report.players.to_string());
    let mut text = lines.join("\n") + "\n";
    let mut players = TextTable::new([
        ("player", Align::Left),
        ("games", Align::Right),
        ("won", Align::Right),
        ("drawn", Align::Right),
        ("lost", Align::Right),
        ("won %", Align::Right),
    ])
    .indent(2);
    for player in &report.top_players {
        let Results { games, wins, draws, losses } = player.results;
        let counts = [games, wins, draws, losses].map(|count| count.to_string());
        let percentage = format!("{:.1}", player.percentage);
        players.row(
            [printable(&player.name).into_owned()].into_iter().chain(counts).chain([percentage]),
        );
    }
    let (openings, moves) = (report.openings, report.opening_moves);
    text += &format!("{players}{:<11}{openings} of {moves} moves, up to symmetry\n", "openings");
    let mut openings =
        TextTable::new([("opening", Align::Left), ("games", Align::Right), ("", Align::Left)])
            .indent(2);
    for opening in &report.top_openings {
        let name = opening.name.unwrap_or_default().to_owned();
        openings.row([opening.moves.to_string(), opening.games.to_string(), name]);
    }
    text + &openings.to_string()
}
