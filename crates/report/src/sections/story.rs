//! From games to a table, in plain words.

use std::fmt::Write;

use discern_experiment::Reproduction;

use crate::numbers::{allowance, count};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let mut body = String::from(
        "<p>A program that plays Othello looks a dozen moves ahead and then has to stop. At the \
         end of every line it considers stands a position, and the program must say how good it \
         is without playing it out. Everything depends on that number. The question of the paper \
         is where the number should come from.</p>\n<ol class=\"story\">\n",
    );
    for (title, text) in steps(reproduction) {
        let _ = writeln!(body, "<li><h3>{title}</h3><p>{text}</p></li>");
    }
    body.push_str("</ol>\n");
    Section { id: "story", title: "From games to a table", body }
}

fn steps(reproduction: &Reproduction) -> [(&'static str, String); 7] {
    let database = &reproduction.database;
    let run = &reproduction.run;
    [
        (
            "Games",
            format!(
                "It begins with {} games, played fast and not without mistakes. The mistakes are \
                 wanted. In games of masters nobody gives a corner away, and from such games \
                 nobody could learn what a corner is worth.",
                count(database.games)
            ),
        ),
        (
            "One tree",
            format!(
                "Many games pass through the same positions. Merged wherever they meet, they make \
                 a single tree with {} nodes. Results then travel from the ends of the games back \
                 to the root: a position is won if some examined move leads to a position that is \
                 lost for the opponent. A blunder at the end no longer condemns the good moves \
                 before it.",
                count(database.nodes)
            ),
        ),
        (
            "Classified positions",
            format!(
                "What comes out are {} positions, each with a label: won, drawn or lost for the \
                 player to move. <a href=\"#positions\">How many at which stage of the game</a>.",
                count(database.all.positions)
            ),
        ),
        (
            "Tables",
            "A <em>feature</em> is a question one can put to a position. How does this edge look? \
             How many moves have I got, and how many has the opponent? For every configuration of \
             an edge, a diagonal or a corner, a table remembers how often the player who had it \
             won. Thirteen such questions turn a board into thirteen numbers. <a \
             href=\"#densities\">What one of them says</a>."
                .to_string(),
        ),
        (
            "Fits",
            "Three models turn the thirteen numbers into one, a winning probability. \
             <strong>LOG</strong>, logistic regression, picks the weights that make the results we \
             saw as likely as possible and supposes little else. <strong>FISHER</strong> pictures \
             the won and the lost positions as two clouds of the same shape and looks along the \
             direction in which they stand furthest apart. <strong>QUAD</strong> lets each cloud \
             have a shape of its own; the price is a formula with all squares and products of the \
             features, slower to work out. Each is fitted anew for every number of discs on the \
             board, for what matters early does not matter late. <a href=\"#weights\">The \
             weights</a>."
                .to_string(),
        ),
        (
            "Evaluators",
            "The formulas go into one and the same program. Because each of them answers with a \
             probability, a value at 20 discs means the same as one at 50, and the search may \
             compare them. <a href=\"#calibration\">Whether the probabilities are true</a> can be \
             checked on games no model has seen."
                .to_string(),
        ),
        (
            "Matches",
            format!(
                "A good fit is not yet a good player: a slower formula searches less deep. So the \
                 three play each other from {} nearly even openings, each twice with colours \
                 reversed, with {} for a side’s whole game where the paper had 30 minutes. \
                 <a href=\"#matches\">The table</a>.",
                count(run.openings),
                allowance(run.thirty_minutes)
            ),
        ),
    ]
}
