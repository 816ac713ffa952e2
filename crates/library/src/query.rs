use discern_board::Board;

use crate::place::Place;

/// What games are wanted. Empty texts and `None` want everything.
#[derive(Debug)]
pub struct Query {
    /// Words of the name of a player, of either colour.
    pub player: String,
    /// Words of the name of the other player.
    pub opponent: String,
    /// Words of the event.
    pub event: String,
    /// Words of the name of an opening the game went through.
    pub opening: String,
    /// The first year.
    pub from: Option<u16>,
    /// The last year.
    pub to: Option<u16>,
    /// How many games of the answer come before the page.
    pub skip: usize,
    /// How many games a page has.
    pub rows: usize,
    /// The position that games must come through, turned or mirrored perhaps.
    pub place: Option<Place>,
}

impl Default for Query {
    /// All games, fifty on a page.
    fn default() -> Query {
        Query {
            player: String::new(),
            opponent: String::new(),
            event: String::new(),
            opening: String::new(),
            from: None,
            to: None,
            skip: 0,
            rows: 50,
            place: None,
        }
    }
}

impl Query {
    /// Only games that come through this position.
    pub fn at(mut self, board: Board) -> Query {
        self.place = Some(Place::new(board));
        self
    }
}
