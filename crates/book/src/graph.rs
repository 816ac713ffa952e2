use discern_board::{Bitboard, Board, Outcome, Square};

use crate::entry::{Entry, Games};
use crate::hash::{Table, hash_of};
use crate::judge::Deviation;
use crate::steps::{MoveClass, Step, move_classes};
use crate::worth::{Grade, Worths};

/// A book in memory: positions, the moves between them, and the values that
/// follow.
///
/// A move is *examined* if it leads to a position of the book, whoever put
/// that there; so the book is the set of its entries, and the order in which
/// they come does not matter. A deviation that has become an examined move is
/// dropped, and the position waits for a new one.
///
/// Values are those of NegaMax over examined moves and deviations alike, and
/// always up to date after [`Graph::settle`].
#[derive(Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    places: Table<Board, u32>,
    /// Moves that lead to positions not in the book, by the hash of those.
    unexamined: Table<u64, u32>,
    /// Lists of them.
    waiting: Vec<Waiting>,
    by_discs: Vec<Vec<u32>>,
    dirty: Vec<Vec<u32>>,
    /// Games that were entered, by their ids.
    learned: Vec<u64>,
}

/// A position and what follows for it from the others.
#[derive(Debug)]
pub struct Node {
    entry: Entry,
    links: Vec<Link>,
    parents: Vec<u32>,
    /// Moves up to symmetry that are not examined.
    unexamined: u8,
    is_dirty: bool,
    value: Option<(Worths, Grade)>,
}

/// An examined move.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// The move; the first of those that are the same up to symmetry.
    pub square: Square,
    /// The same side moves again.
    pub same_side: bool,
    child: u32,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    parent: u32,
    square: Square,
    same_side: bool,
    next: u32,
}

const NOBODY: u32 = u32::MAX;

/// A move with its value, examined or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub square: Square,
    /// What it is worth to the mover.
    pub worths: Worths,
    /// How reliable that is.
    pub grade: Grade,
    /// Does it lead to a position of the book?
    pub examined: bool,
}

impl Node {
    /// What the book knows by itself.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The value for the mover; `None` while nothing is known.
    pub fn worths(&self) -> Option<Worths> {
        self.value.map(|(worths, _)| worths)
    }

    /// How reliable the value is; nothing looked ahead if there is none.
    pub fn grade(&self) -> Grade {
        self.value.map_or(Grade::Depth(0), |(_, grade)| grade)
    }

    /// The examined moves, by their squares.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// There are unexamined moves, and nobody has searched for the best.
    pub fn wants_deviation(&self) -> bool {
        self.entry.deviation.is_none() && self.unexamined > 0
    }
}

impl Graph {
    /// An empty book.
    pub fn new() -> Graph {
        Graph { by_discs: vec![Vec::new(); 65], dirty: vec![Vec::new(); 65], ..Graph::default() }
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// No position at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of a position, in whichever of its eight images.
    pub fn get(&self, board: &Board) -> Option<&Node> {
        self.place(board).map(|place| self.node(place))
    }

    /// All nodes, in the order they came.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter()
    }

    /// Entries in the order of their boards: the book itself.
    pub fn sorted(&self) -> Vec<&Node> {
        let mut nodes: Vec<&Node> = self.nodes.iter().collect();
        nodes.sort_unstable_by_key(|node| node.entry.board);
        nodes
    }

    /// The ids of the games that were entered, in ascending order.
    pub fn learned(&self) -> &[u64] {
        &self.learned
    }

    /// Notes that a game was entered; `false` if it was before.
    pub fn learn(&mut self, game: u64) -> bool {
        match self.learned.binary_search(&game) {
            Ok(_) => false,
            Err(place) => {
                self.learned.insert(place, game);
                true
            }
        }
    }

    /// Takes a sorted list of games over at once.
    pub(crate) fn learn_all(&mut self, games: impl IntoIterator<Item = u64>) {
        self.learned.extend(games);
        self.learned.sort_unstable();
        self.learned.dedup();
    }

    pub(crate) fn place(&self, board: &Board) -> Option<u32> {
        self.places.get(&board.canonical()).copied()
    }

    pub(crate) fn node(&self, place: u32) -> &Node {
        &self.nodes[place as usize]
    }

    /// The nodes with this many discs.
    pub(crate) fn with_discs(&self, discs: usize) -> &[u32] {
        &self.by_discs[discs]
    }

    /// The node a link leads to.
    pub fn child(&self, link: &Link) -> &Node {
        self.node(link.child)
    }

    pub(crate) fn child_place(link: &Link) -> u32 {
        link.child
    }

    /// The value of an examined move for the side that makes it.
    pub fn link_value(&self, link: &Link) -> Option<(Worths, Grade)> {
        let (worths, grade) = self.child(link).value?;
        let worths = if link.same_side { worths } else { worths.turned() };
        let grade = match grade {
            Grade::Depth(depth) => Grade::Depth(depth.saturating_add(1).min(64)),
            proven => proven,
        };
        Some((worths, grade))
    }

    /// The examined moves and the deviation with their values, best first.
    pub fn moves(&self, node: &Node) -> Vec<BookMove> {
        let examined = node.links.iter().filter_map(|link| {
            let (worths, grade) = self.link_value(link)?;
            Some(BookMove { square: link.square, worths, grade, examined: true })
        });
        let mut moves: Vec<BookMove> = examined.collect();
        moves.extend(node.entry.deviation.map(|deviation| BookMove {
            square: deviation.square,
            worths: Worths::of(deviation.worth),
            grade: deviation.grade,
            examined: false,
        }));
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.worths.even));
        moves
    }

    /// All squares of a node's examined moves.
    pub fn examined(&self, node: &Node) -> Bitboard {
        let classes = move_classes(&node.entry.board);
        let known = |class: &&MoveClass| node.links.iter().any(|link| link.square == class.square);
        classes.iter().filter(known).fold(Bitboard::EMPTY, |all, class| all | class.squares)
    }

    /// Puts an entry in, in place of what was known of its position. Entries
    /// of positions in which the mover cannot move are refused (`false`), and
    /// so are deviations that are no legal moves.
    pub fn put(&mut self, entry: Entry) -> bool {
        let board = entry.board.canonical();
        let legal = board.moves();
        let wrong = |deviation: Deviation| !legal.contains(deviation.square);
        if legal.is_empty() || board != entry.board || entry.deviation.is_some_and(wrong) {
            return false;
        }
        let place = match self.places.get(&board) {
            Some(&place) => place,
            None => self.insert(board),
        };
        let node = &mut self.nodes[place as usize];
        node.entry = entry;
        self.drop_examined_deviation(place);
        self.mark(place);
        true
    }

    fn insert(&mut self, board: Board) -> u32 {
        let place = self.nodes.len() as u32;
        let classes = move_classes(&board);
        self.nodes.push(Node {
            entry: Entry { board, deviation: None, games: Games::default() },
            links: Vec::new(),
            parents: Vec::new(),
            unexamined: classes.len() as u8,
            is_dirty: false,
            value: None,
        });
        self.places.insert(board, place);
        self.by_discs[board.discs() as usize].push(place);
        for class in classes {
            let Step::Position { board, same_side } = class.step else { continue };
            match self.places.get(&board) {
                Some(&child) => self.link(place, Link { square: class.square, same_side, child }),
                None => self.wait(place, class.square, same_side, &board),
            }
        }
        self.link_parents(place, &board);
        place
    }

    /// Remembers an unexamined move, should its position come.
    fn wait(&mut self, parent: u32, square: Square, same_side: bool, board: &Board) {
        let next = self.unexamined.entry(hash_of(board)).or_insert(NOBODY);
        self.waiting.push(Waiting { parent, square, same_side, next: *next });
        *next = self.waiting.len() as u32 - 1;
    }

    /// The moves that lead here are examined from now on.
    fn link_parents(&mut self, place: u32, board: &Board) {
        let mut at = self.unexamined.remove(&hash_of(board)).unwrap_or(NOBODY);
        while at != NOBODY {
            let Waiting { parent, square, same_side, next } = self.waiting[at as usize];
            at = next;
            let from = self.nodes[parent as usize].entry.board;
            match crate::steps::step(&from, square) {
                Step::Position { board: to, .. } if to == *board => {
                    self.link(parent, Link { square, same_side, child: place });
                    self.drop_examined_deviation(parent);
                    self.mark(parent);
                }
                // Another position with the same hash: it goes on waiting.
                Step::Position { board: to, .. } => self.wait(parent, square, same_side, &to),
                Step::Over(_) => {}
            }
        }
    }

    fn link(&mut self, parent: u32, link: Link) {
        self.nodes[link.child as usize].parents.push(parent);
        let node = &mut self.nodes[parent as usize];
        let place = node.links.partition_point(|known| known.square < link.square);
        node.links.insert(place, link);
        node.unexamined -= 1;
    }

    /// A deviation to a position of the book is none.
    fn drop_examined_deviation(&mut self, place: u32) {
        let node = &self.nodes[place as usize];
        let Some(deviation) = node.entry.deviation else { return };
        if let Step::Position { board, .. } =
            crate::steps::step(&node.entry.board, deviation.square)
            && self.places.contains_key(&board)
        {
            self.nodes[place as usize].entry.deviation = None;
        }
    }

    fn mark(&mut self, place: u32) {
        let node = &mut self.nodes[place as usize];
        if !node.is_dirty {
            node.is_dirty = true;
            self.dirty[node.entry.board.discs() as usize].push(place);
        }
    }

    /// Brings all values up to date. A move adds a disc, so the fullest boards
    /// come first and each position is looked at once.
    pub fn settle(&mut self) {
        for discs in (0..self.dirty.len()).rev() {
            for place in std::mem::take(&mut self.dirty[discs]) {
                let value = self.value_of(self.node(place));
                let node = &mut self.nodes[place as usize];
                node.is_dirty = false;
                if node.value != value {
                    node.value = value;
                    for parent in self.nodes[place as usize].parents.clone() {
                        self.mark(parent);
                    }
                }
            }
        }
    }

    fn value_of(&self, node: &Node) -> Option<(Worths, Grade)> {
        let empties = node.entry.board.empties();
        let links = node.links.iter().map(|link| self.link_value(link));
        let deviation = node.entry.deviation;
        let deviation = deviation.map(|deviation| (Worths::of(deviation.worth), deviation.grade));
        let known: Vec<(Worths, Grade)> = links.clone().flatten().chain(deviation).collect();
        let best = known.iter().map(|&(worths, _)| worths).reduce(Worths::max)?;
        let complete = !node.wants_deviation() && links.clone().all(|value| value.is_some());
        let least = known.iter().map(|&(_, grade)| grade).min()?;
        // A loss by the moves looked at so far is none yet.
        let wins = |worths: &Worths| worths.even.outcome() == Some(Outcome::Win);
        let grade = if complete && least.is_proven() {
            least
        } else if known.iter().any(|(worths, grade)| wins(worths) && grade.is_proven()) {
            Grade::Outcome
        } else {
            let best_ones = known.iter().filter(|(worths, _)| worths.even == best.even);
            let depth = best_ones.map(|(_, grade)| grade.depth(empties)).max()?;
            Grade::Depth(depth.min(64) as u8)
        };
        Some((best, grade))
    }
}
