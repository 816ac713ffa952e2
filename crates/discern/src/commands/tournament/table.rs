//! The result of a tournament for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use discern_arena::stats::{Decision, Estimate, Interval, Summary, Tally};
use discern_arena::tournament::{Conclusion, Match, Plan, Results, Standings};
use discern_records::Ending;
use discern_report::{decimal, p_value_to};
use serde_json::{Map, Value, json};

/// The whole result as one object. Of a match between two players its numbers
/// stand at the top; of a larger tournament in `matches`.
pub fn json(plan: &Plan, results: &Results, standings: &Standings, end: &Conclusion) -> Value {
    let matches: Vec<Map<String, Value>> =
        standings.matches.iter().map(|game| match_json(plan, game)).collect();
    let mut object = match matches.as_slice() {
        [only] => only.clone(),
        _ => Map::from_iter([("matches".to_owned(), json!(matches))]),
    };
    let endings: BTreeMap<String, u64> = counts(&standings.endings);
    let players: Vec<Value> =
        (0..plan.contestants.len()).map(|player| player_json(plan, standings, player)).collect();
    let conclusion = match end {
        Conclusion::Complete => "complete",
        Conclusion::Decided(_) => "decided",
        Conclusion::Halted => "halted",
        Conclusion::PlayerDied { .. } => "player-died",
    };
    object.extend([
        ("plan".to_owned(), json!(plan.id())),
        ("games".to_owned(), json!(results.len())),
        ("games_planned".to_owned(), json!(plan.games())),
        ("conclusion".to_owned(), json!(conclusion)),
        ("openings".to_owned(), json!(standings.openings)),
        ("balanced_openings".to_owned(), json!(standings.balanced_openings)),
        ("endings".to_owned(), json!(endings)),
        ("players".to_owned(), json!(players)),
    ]);
    if let Conclusion::Decided(sprt) = end {
        let accepted = if sprt.decision == Decision::AcceptH1 { "elo1" } else { "elo0" };
        object.insert(
            "sprt".to_owned(),
            json!({"accepted": accepted, "llr": sprt.llr, "pairs": sprt.pairs}),
        );
    }
    Value::Object(object)
}

fn match_json(plan: &Plan, game: &Match) -> Map<String, Value> {
    let Summary {
        tally: Tally { wins, draws, losses },
        pentanomial,
        elo,
        normalized_elo,
        superiority,
        conservative,
        label_swap,
        t_test,
        sign,
        score_interval: Interval { low, high },
        margin,
    } = &game.summary;
    let fields = json!({
        "first": plan.contestants[game.first].name,
        "second": plan.contestants[game.second].name,
        "pairs": pentanomial.pairs(),
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "percentage": game.summary.percentage(),
        "percentage_interval": [100.0 * low, 100.0 * high],
        "pentanomial": pentanomial.0,
        "elo": elo.value,
        "elo_error": elo.error,
        "normalized_elo": normalized_elo.map(|estimate| estimate.value),
        "normalized_elo_error": normalized_elo.map(|estimate| estimate.error),
        "likelihood_of_superiority": superiority,
        "p_conservative": conservative,
        "p_paired": label_swap,
        "p_paired_holm": game.corrected,
        "p_t": t_test.map(|test| test.p),
        "p_sign": sign,
        "pairs_ratio": pentanomial.pairs_ratio(),
        "balanced_pairs": pentanomial.0[2],
        "disc_margin": margin.as_ref().map(|margin| margin.mean),
        "disc_margin_interval": margin.as_ref().map(|m| [m.interval.low, m.interval.high]),
        "p_disc_margin": margin.as_ref().and_then(|margin| margin.test).map(|test| test.p),
    });
    match fields {
        Value::Object(fields) => fields,
        _ => unreachable!("written as an object"),
    }
}

fn player_json(plan: &Plan, standings: &Standings, player: usize) -> Value {
    let (contestant, standing) = (&plan.contestants[player], &standings.players[player]);
    let effort = &standing.effort;
    json!({
        "name": contestant.name,
        "limits": contestant.limits.to_string(),
        "wins": standing.tally.wins,
        "draws": standing.tally.draws,
        "losses": standing.tally.losses,
        "points": standing.tally.points(),
        "rating": standings.ratings.elo[player],
        "rating_error": 1.96 * standings.ratings.standard_error[player],
        "failures": counts(&standing.failures),
        "moves": effort.moves,
        "seconds": effort.time.as_secs_f64(),
        "seconds_per_move": effort.time_per_move().map(|time| time.as_secs_f64()),
        "nodes_per_second": effort.nodes_per_second(),
        "mean_depth": effort.mean_depth(),
        "largest_clock_share":
            contestant.limits.clock.map(|_| effort.clock_share),
    })
}

fn counts(endings: &BTreeMap<Ending, u64>) -> BTreeMap<String, u64> {
    endings.iter().map(|(ending, &count)| (ending.to_string(), count)).collect()
}

/// The final table for people.
pub fn text(plan: &Plan, results: &Results, standings: &Standings, end: &Conclusion) -> String {
    let mut out = String::new();
    write_text(&mut out, plan, results, standings, end).expect("strings grow");
    out
}

fn write_text(
    out: &mut String,
    plan: &Plan,
    results: &Results,
    standings: &Standings,
    end: &Conclusion,
) -> std::fmt::Result {
    let name = |player: usize| plan.contestants[player].name.as_str();
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
        plan.games()
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

fn write_players(out: &mut String, plan: &Plan, standings: &Standings) -> std::fmt::Result {
    let mut order: Vec<usize> = (0..plan.contestants.len()).collect();
    order.sort_by(|&a, &b| standings.ratings.elo[b].total_cmp(&standings.ratings.elo[a]));
    let longest = plan.contestants.iter().map(|c| c.name.chars().count()).max().unwrap_or(0).max(6);
    writeln!(
        out,
        "{:<longest$}  {:>7} {:>5}  {:>13}  {:>6}  {:>8}  {:>6} {:>9}  limits",
        "player", "points", "games", "Elo", "depth", "Mnodes/s", "s/move", "clock use"
    )?;
    for player in order {
        let (contestant, standing) = (&plan.contestants[player], &standings.players[player]);
        let effort = &standing.effort;
        let or_dash = |number: Option<f64>, digits: usize| {
            number.map_or("–".to_owned(), |number| format!("{number:.digits$}"))
        };
        let rating = standings.ratings.elo[player];
        let elo = format!("{rating:+.0} ± {:.0}", 1.96 * standings.ratings.standard_error[player]);
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
) -> std::fmt::Result {
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
