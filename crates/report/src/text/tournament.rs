//! The final table of a tournament.

use std::fmt::{self, Write};
use std::time::Instant;

use discern_arena::stats::{Decision, Estimate, Interval, Tally};
use discern_arena::tournament::{
    Conclusion, Finished, Fixture, Match, Results, Standings, TournamentPlan,
};
use discern_records::Ending;

use super::Shown;
use crate::numbers::{decimal, p_value_to};

/// Why a tournament ended before all its games, if it did; whether it can be
/// resumed.
pub fn unfinished_text(
    plan: &TournamentPlan,
    results: &Results,
    end: &Conclusion,
    resumes: bool,
) -> Option<String> {
    match end {
        Conclusion::Complete | Conclusion::Decided(_) => None,
        Conclusion::Halted => {
            let (done, games) = (results.len(), plan.number_of_games());
            let hint = if resumes { "; the same command resumes" } else { "" };
            Some(format!("stopped after {done} of {games} games{hint}"))
        }
        Conclusion::PlayerDied { player, failure } => {
            let name = &plan.players[*player].name;
            Some(format!("{name}: {failure}; --restart would start it again"))
        }
    }
}

/// The players by rating, each match with its tests, and how it ended.
pub fn tournament_text(
    plan: &TournamentPlan,
    results: &Results,
    standings: &Standings,
    end: &Conclusion,
) -> String {
    let mut out = String::new();
    write_text(&mut out, plan, results, standings, end).expect("strings grow");
    out
}

fn write_text(
    out: &mut String,
    plan: &TournamentPlan,
    results: &Results,
    standings: &Standings,
    end: &Conclusion,
) -> fmt::Result {
    let name = |player: usize| plan.players[player].name.as_str();
    write_players(out, plan, standings)?;
    for game in &standings.matches {
        writeln!(out)?;
        write_match(out, name(game.first), name(game.second), game, standings.matches.len())?;
    }
    writeln!(out)?;
    let (balanced, openings) = (standings.balanced_openings, standings.openings);
    writeln!(
        out,
        "{} of {} games; {balanced} of {openings} openings always gave balanced pairs",
        results.len(),
        plan.number_of_games()
    )?;
    let unusual: Vec<String> = standings
        .endings
        .iter()
        .filter(|(ending, _)| **ending != Ending::Played)
        .map(|(ending, count)| format!("{count} {ending}"))
        .collect();
    if !unusual.is_empty() {
        writeln!(out, "not played to the end: {}", unusual.join(", "))?;
    }
    if let Conclusion::Decided(sprt) = end {
        let which = match sprt.decision {
            Decision::AcceptH1 => "the larger difference is accepted",
            _ => "the smaller difference is accepted",
        };
        writeln!(
            out,
            "sequential test: {which} after {} pairs, LLR {:+.2}; estimates after an early stop are biased outwards",
            sprt.pairs, sprt.llr
        )?;
    }
    Ok(())
}

fn write_players(out: &mut String, plan: &TournamentPlan, standings: &Standings) -> fmt::Result {
    let mut order: Vec<usize> = (0..plan.players.len()).collect();
    order.sort_by(|&a, &b| standings.ratings.elo[b].total_cmp(&standings.ratings.elo[a]));
    let longest = plan.players.iter().map(|c| c.name.chars().count()).max().unwrap_or(0).max(6);
    writeln!(
        out,
        "{:<longest$}  {:>7} {:>5}  {:>13}  {:>6}  {:>8}  {:>6} {:>9}  limits",
        "player", "points", "games", "Elo", "depth", "Mnodes/s", "s/move", "clock use"
    )?;
    for player in order {
        let (contestant, standing) = (&plan.players[player], &standings.players[player]);
        let effort = &standing.effort;
        let or_dash = |number: Option<f64>, digits: usize| {
            number.map_or("–".to_owned(), |number| format!("{number:.digits$}"))
        };
        let rating = standings.ratings.elo[player];
        let elo = format!("{rating:+.0} ± {:.0}", standings.ratings.error(player));
        let clock = contestant.limits.clock.map(|_| 100.0 * effort.clock_share);
        let limits = match contestant.limits.is_unknown() {
            true => "–".to_owned(),
            false => contestant.limits.to_string(),
        };
        writeln!(
            out,
            "{:<longest$}  {:>7.1} {:>5}  {elo:>13}  {:>6}  {:>8}  {:>6} {:>9}  {limits}",
            contestant.name,
            standing.tally.points(),
            standing.tally.games(),
            or_dash(effort.mean_depth(), 1),
            or_dash(effort.nodes_per_second().map(|speed| speed / 1e6), 2),
            or_dash(effort.time_per_move().map(|time| time.as_secs_f64()), 3),
            clock.map_or("–".to_owned(), |share| format!("{share:.0} %")),
        )?;
        for (ending, count) in &standing.failures {
            writeln!(out, "{:<longest$}  lost {count} by {ending}", "")?;
        }
    }
    if standings.ratings.with_virtual_draws {
        writeln!(out, "(a clean sweep: rated with one virtual draw per opponent)")?;
    }
    Ok(())
}

fn write_match(
    out: &mut String,
    first: &str,
    second: &str,
    game: &Match,
    matches: usize,
) -> fmt::Result {
    let summary = &game.summary;
    let Tally { wins, draws, losses } = summary.tally;
    let pairs = summary.pentanomial.pairs();
    writeln!(
        out,
        "{first} – {second}: {wins}–{draws}–{losses}, {} % of {} games in {pairs} pairs",
        decimal(summary.percentage(), 1),
        summary.tally.games()
    )?;
    if pairs == 0 {
        return Ok(());
    }
    let Interval { low, high } = summary.score_interval;
    let elo = |estimate: Estimate| format!("{:+.1} ± {:.1}", estimate.value, estimate.error);
    writeln!(
        out,
        "  Elo {}, normalized {}, likelihood of superiority {:.1} %",
        elo(summary.elo),
        summary.normalized_elo.map_or("–".to_owned(), elo),
        100.0 * summary.superiority
    )?;
    writeln!(
        out,
        "  bootstrap interval {} … {} %; pairs LL LD WL|DD WD WW {:?}",
        decimal(100.0 * low, 1),
        decimal(100.0 * high, 1),
        summary.pentanomial.0
    )?;
    let p = |value: f64| p_value_to(4, value);
    write!(out, "  p: paired (exact label swap) {}", p(summary.label_swap))?;
    if matches > 1 {
        write!(out, ", Holm {}", p(game.corrected))?;
    }
    writeln!(
        out,
        "; t {}; sign {}; conservative (one-sided) {}",
        summary.t_test.map_or("–".to_owned(), |test| p(test.p)),
        p(summary.sign),
        p(summary.conservative)
    )?;
    if let Some(margin) = &summary.margin {
        writeln!(
            out,
            "  discs {:+.2} a game, {:+.2} … {:+.2}, p {}",
            margin.mean,
            margin.interval.low,
            margin.interval.high,
            margin.test.map_or("–".to_owned(), |test| p(test.p))
        )?;
    }
    Ok(())
}

/// Follows a tournament: how its matches stand, a line each.
pub struct TournamentWatch<'a> {
    plan: &'a TournamentPlan,
    tallies: Vec<Tally>,
    /// Games of earlier parts of the run.
    before: u64,
    start: Instant,
}

impl<'a> TournamentWatch<'a> {
    /// The games played so far.
    pub fn new(plan: &'a TournamentPlan, results: &Results) -> TournamentWatch<'a> {
        let tallies = vec![Tally::default(); plan.pairings().len()];
        let mut watch =
            TournamentWatch { plan, tallies, before: results.len(), start: Instant::now() };
        for (fixture, result) in results.games(plan) {
            watch.count(&fixture, result.discs_black);
        }
        watch
    }

    fn count(&mut self, fixture: &Fixture, discs_black: i32) {
        let discs = if fixture.leg == 0 { discs_black } else { -discs_black };
        let tally = &mut self.tallies[fixture.pairing];
        match discs.signum() {
            1 => tally.wins += 1,
            0 => tally.draws += 1,
            _ => tally.losses += 1,
        }
    }

    /// What is to be shown before the first game of this part of the run.
    pub fn begin(&self) -> Shown {
        self.shown(self.to_string(), self.before, None)
    }

    /// What is to be shown after one more game.
    pub fn hear(&mut self, finished: &Finished) -> Shown {
        if let Some(score) = finished.record.score_black {
            self.count(&finished.fixture, score.discs());
        }
        let mut table = self.to_string();
        if let Some(sprt) = finished.sprt {
            let [lower, upper] = sprt.bounds();
            table.push_str(&format!("\nLLR {:+.2} ({lower:.2}, {upper:.2})", sprt.llr()));
        }
        let (done, games) = (finished.results.len(), self.plan.number_of_games());
        let fresh = done.saturating_sub(self.before).max(1);
        let left = self.start.elapsed().as_secs_f64() / fresh as f64 * (games - done) as f64;
        let line = format!("{done}/{games} games, {left:.0} s left; {}", table.replace('\n', "; "));
        self.shown(table, done, Some(line))
    }

    fn shown(&self, message: String, done: u64, line: Option<String>) -> Shown {
        let (of, first) = (self.plan.number_of_games(), done == self.before);
        Shown::Counted { message, unit: "games", done, of, first, line }
    }
}

/// A game that ended otherwise than by its moves, in a line.
pub fn mishap_text(plan: &TournamentPlan, finished: &Finished) -> Option<String> {
    let Finished { fixture, record, .. } = finished;
    if matches!(record.ending, Ending::Played | Ending::Adjudicated) {
        return None;
    }
    let name = |player: usize| &plan.players[player].name;
    let (number, black, white) = (fixture.number + 1, name(fixture.black), name(fixture.white));
    let (ending, comment) = (&record.ending, &record.comment);
    Some(format!("game {number}, {black} (black) – {white} (white): {ending}; {comment}"))
}

impl fmt::Display for TournamentWatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |player: usize| &self.plan.players[player].name;
        for (at, ((first, second), tally)) in
            self.plan.pairings().into_iter().zip(&self.tallies).enumerate()
        {
            let Tally { wins, draws, losses } = tally;
            let end = if at > 0 { "\n" } else { "" };
            let percent = decimal(100.0 * tally.score(), 1);
            let (first, second) = (name(first), name(second));
            write!(f, "{end}{first} – {second}: {wins}–{draws}–{losses}, {percent} %")?;
        }
        Ok(())
    }
}
