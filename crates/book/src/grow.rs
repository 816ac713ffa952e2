use discern_board::{Board, Square};

use crate::crew::{Crew, Question};
use crate::entry::Entry;
use crate::error::BookError;
use crate::graph::{Graph, Node};
use crate::paths::Paths;
use crate::steps::{Step, move_classes, step};
use crate::workshop::Workshop;

/// Where a book grows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    /// The positions whose decisions matter.
    pub roots: Vec<Board>,
    /// What a ply costs beside what it gives away, in hundred-thousandths of a
    /// won game: the larger, the broader the book and the shorter its lines.
    pub toll: u32,
    /// No position with fewer empty squares is added.
    pub least_empties: u32,
    /// The book is full with this many positions.
    pub positions: usize,
}

impl Default for Growth {
    /// From the start, 0.4 % for a ply, down to 20 empty squares, no end.
    fn default() -> Growth {
        let roots = vec![Board::START];
        Growth { roots, toll: 400, least_empties: 20, positions: usize::MAX }
    }
}

/// Why growing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grown {
    /// The book has as many positions as wanted.
    Full,
    /// There is nothing left to examine.
    Complete,
    /// Somebody wanted it to stop.
    Stopped,
}

/// How far growing is.
pub struct Growing<'a> {
    /// The book.
    pub graph: &'a Graph,
    /// The tasks under way, the most urgent first.
    pub tasks: &'a [Task],
    /// Searches of this round that are done.
    pub done: usize,
    /// Searches of this round.
    pub total: usize,
}

/// Something to be examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// What lies between the best line and here, in hundred-thousandths.
    pub cost: u32,
    /// The position, in canonical form.
    pub board: Board,
    /// The deviation to be examined; `None` if the position has to be searched
    /// for one first.
    pub square: Option<Square>,
}

impl Growth {
    /// Grows the book until it is full, complete or stopped.
    ///
    /// In rounds: the tasks whose answers can change the decision at a root
    /// soonest are chosen (best-first by the sum of what both sides give away
    /// on the way), then searched in parallel, then entered together. What is
    /// chosen depends on the book alone, so the number of threads and
    /// interruptions do not show in the result.
    pub fn grow(
        &self,
        workshop: &mut Workshop,
        crew: &mut Crew,
        mut told: impl FnMut(Growing),
    ) -> Result<Grown, BookError> {
        let missing = |root: &&Board| workshop.graph().get(root).is_none() && root.moves().any();
        let roots: Vec<Entry> =
            self.roots.iter().filter(missing).map(|root| Entry::new(*root)).collect();
        if !roots.is_empty() {
            workshop.change(roots, Vec::new())?;
        }
        loop {
            if (crew.stop)() {
                return Ok(Grown::Stopped);
            }
            let tasks = self.tasks(workshop.graph());
            if tasks.is_empty() {
                let full = workshop.graph().len() >= self.positions;
                return Ok(if full { Grown::Full } else { Grown::Complete });
            }
            if !run(&tasks, workshop, crew, &mut told)? {
                return Ok(Grown::Stopped);
            }
        }
    }

    /// The most urgent tasks, as many as one round has.
    pub fn tasks(&self, graph: &Graph) -> Vec<Task> {
        let paths = Paths::new(graph, &self.roots, self.toll, false);
        let wanting = wanting(graph);
        let room = self.positions.saturating_sub(graph.len());
        let mut further: Vec<Task> =
            graph.nodes().filter_map(|node| self.expansion(&paths, node)).collect();
        further.sort_unstable_by_key(|task| (task.cost, task.board));
        // Two deviations may lead to the same position; the second waits.
        let mut targets: Vec<Step> = Vec::new();
        let size = round(graph.len());
        let mut tasks: Vec<Task> = wanting.into_iter().take(size).collect();
        for task in further {
            if tasks.len() >= size || targets.len() >= room {
                break;
            }
            let target = step(&task.board, task.square.expect("an expansion"));
            if !targets.contains(&target) {
                targets.push(target);
                tasks.push(task);
            }
        }
        tasks
    }

    /// Examining the deviation of a node, if that can change anything.
    fn expansion(&self, paths: &Paths, node: &Node) -> Option<Task> {
        let board = node.entry().board;
        let deviation = node.entry().deviation?;
        let settled = node.grade().is_proven() || deviation.grade.is_proven();
        if settled || board.empties() <= self.least_empties {
            return None;
        }
        let cost = paths.cost(&board)? + paths.price(node, Some(deviation.worth));
        Some(Task { cost, board, square: Some(deviation.square) })
    }
}

/// How many tasks are chosen at once. Choosing looks at every position, so
/// large books choose more.
fn round(positions: usize) -> usize {
    (positions / 128).clamp(8, 512)
}

/// The positions that wait for a deviation, whoever put them there.
pub(crate) fn wanting(graph: &Graph) -> Vec<Task> {
    let wants = |node: &&Node| node.wants_deviation() && !node.grade().is_proven();
    let task = |node: &Node| Task { cost: 0, board: node.entry().board, square: None };
    let mut tasks: Vec<Task> = graph.nodes().filter(wants).map(task).collect();
    tasks.sort_unstable_by_key(|task| task.board);
    tasks
}

/// Carries out a round of tasks; `false` if stopped before the end.
pub(crate) fn run(
    tasks: &[Task],
    workshop: &mut Workshop,
    crew: &mut Crew,
    told: &mut impl FnMut(Growing),
) -> Result<bool, BookError> {
    let questions: Vec<Question> =
        tasks.iter().flat_map(|task| questions(workshop.graph(), task)).collect();
    let total = questions.len();
    told(Growing { graph: workshop.graph(), tasks, done: 0, total });
    let answers = crew.ask(workshop, &questions, |done, workshop| {
        told(Growing { graph: workshop.graph(), tasks, done, total });
    })?;
    let Some(answers) = answers else { return Ok(false) };
    let entry = |(&(board, _), answer): (&Question, _)| {
        let known = workshop.graph().get(&board).map(|node| *node.entry());
        Entry { deviation: answer, ..known.unwrap_or(Entry::new(board)) }
    };
    let entries = questions.iter().zip(answers).map(entry).collect();
    workshop.change(entries, Vec::new())?;
    Ok(true)
}

/// What a task asks: of a deviation to be examined, the position behind it and
/// the best move beside it.
fn questions(graph: &Graph, task: &Task) -> Vec<Question> {
    let node = graph.get(&task.board).expect("a task of this book");
    let examined = graph.examined(node);
    let Some(square) = task.square else { return vec![(task.board, examined)] };
    let class = move_classes(&task.board)
        .into_iter()
        .find(|class| class.squares.contains(square))
        .expect("deviations are legal");
    let mut questions = Vec::new();
    if let Step::Position { board, .. } = class.step {
        let known = |class: &&crate::steps::MoveClass| matches!(class.step, Step::Position { board, .. } if graph.get(&board).is_some());
        let classes = move_classes(&board);
        let squares = classes.iter().filter(known).map(|class| class.squares);
        questions.push((board, squares.fold(discern_board::Bitboard::EMPTY, |all, one| all | one)));
    }
    questions.push((task.board, examined | class.squares));
    questions
}
