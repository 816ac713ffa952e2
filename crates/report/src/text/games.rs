//! What files of games hold.

use discern_files::printable;
use discern_records::{GamesSummary, SideResults};

use crate::{Align, TextTable};

/// Facts, players and openings.
pub fn games_text(report: &GamesSummary) -> String {
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
        ("points %", Align::Right),
    ])
    .indent(2);
    for player in &report.top_players {
        let SideResults { games, wins, draws, losses } = player.results;
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
