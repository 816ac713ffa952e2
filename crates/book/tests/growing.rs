//! Growing and learning: alike every time, whatever the threads, and nothing
//! lost or doubled by `kill -9`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::opinion;
use discern_board::testing::random_games;
use discern_board::{Bitboard, Board, Outcome};
use discern_book::{BookFile, Crew, Grown, Growth, Journal, Lesson, Lessons, Who, Workshop, lines};

fn crew(threads: usize) -> Crew<'static> {
    let judge = || Box::new(opinion) as Box<dyn discern_book::Judge>;
    Crew { judges: (0..threads).map(|_| judge()).collect(), stop: &|| false }
}

fn grow(path: &Path, positions: usize, threads: usize) -> Grown {
    let mut workshop = Workshop::open(path).unwrap();
    workshop.note("grow: opinions");
    let growth = Growth { positions, ..Growth::default() };
    let grown = growth.grow(&mut workshop, &mut crew(threads), |_| {}).unwrap();
    workshop.finish().unwrap();
    grown
}

fn lessons() -> Vec<Lesson> {
    let game = |(number, game): (usize, discern_board::Game)| Lesson {
        id: number as u64,
        outcome_black: game.score_black().map(|score| score.outcome()),
        game,
        who: if number % 2 == 0 { Who::Human } else { Who::Engine },
    };
    random_games(8, 12).enumerate().map(game).collect()
}

fn learn(path: &Path) -> discern_book::Learned {
    let mut workshop = Workshop::open(path).unwrap();
    let settings = Lessons { least_empties: 24, only_count: false };
    let learned = settings.learn(&mut workshop, &mut crew(1), lessons(), |_| {}).unwrap();
    workshop.finish().unwrap();
    learned
}

#[test]
fn the_same_bytes_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let files = [1, 1, 3].map(|threads| {
        let path = folder.path().join(format!("{threads}.book"));
        assert_eq!(grow(&path, 300, threads), Grown::Full);
        assert!(!Journal::path_of(&path).exists());
        std::fs::read(&path).unwrap()
    });
    assert!(files[0] == files[1] && files[1] == files[2]);
    let book = BookFile::from_bytes(files[0].clone()).unwrap();
    assert_eq!(book.len(), 300);
    book.verify().unwrap();
}

#[test]
fn growing_in_pieces_is_growing_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, pieces) = (folder.path().join("whole.book"), folder.path().join("pieces.book"));
    // Pieces end where a round ends: stopping after so many answers.
    grow(&whole, 400, 1);
    for after in [3, 50, 120, 199, 401, 9999] {
        let answers = AtomicUsize::new(0);
        let stop = || answers.load(Ordering::Relaxed) >= after;
        let judge = |board: &Board, except: Bitboard| {
            answers.fetch_add(1, Ordering::Relaxed);
            opinion(board, except)
        };
        let mut workshop = Workshop::open(&pieces).unwrap();
        workshop.note("grow: opinions");
        let growth = Growth { positions: 400, ..Growth::default() };
        let mut crew = Crew { judges: vec![Box::new(judge)], stop: &stop };
        growth.grow(&mut workshop, &mut crew, |_| {}).unwrap();
        workshop.finish().unwrap();
    }
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&pieces).unwrap());
}

#[test]
fn growth_follows_what_can_change_the_decision() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    grow(&path, 200, 1);
    let graph = BookFile::open(&path).unwrap().graph().unwrap();
    let growth = Growth::default();
    let tasks = growth.tasks(&graph);
    assert!(tasks.is_sorted_by_key(|task| task.cost));
    // Nothing behind a proven position is ever looked at.
    for task in &tasks {
        assert!(!graph.get(&task.board).unwrap().grade().is_proven());
    }
    let lines = lines(&graph, &discern_board::Position::START, u32::MAX);
    assert!(lines.len() > 20 && lines[0].loss == 0, "{}", lines.len());
    assert!(lines.iter().all(|line| line.game.start() == discern_board::Position::START));
}

#[test]
fn games_are_entered_once_with_their_results_and_a_deviation_at_each_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    assert_eq!(learn(&path).entered, 12);
    let first = std::fs::read(&path).unwrap();
    assert_eq!(learn(&path), discern_book::Learned { entered: 0, known: 12, stopped: false });
    assert_eq!(std::fs::read(&path).unwrap(), first, "the second time changes nothing");
    let graph = BookFile::open(&path).unwrap().graph().unwrap();
    assert!(graph.nodes().all(|node| !node.wants_deviation() || node.grade().is_proven()));
    let start = graph.get(&Board::START).unwrap().entry().games;
    assert_eq!((start.human.total(), start.engine.total()), (6, 6));
    let black = lessons().iter().filter(|l| l.outcome_black == Some(Outcome::Win)).count();
    assert_eq!((start.human.wins + start.engine.wins) as usize, black);
    // A game's last position in the book is where endings are solved.
    let last = lessons()[0].game.boards().find(|board| board.empties() == 24).unwrap();
    if last.moves().any() {
        assert!(graph.get(&last).is_some());
    }
}

#[test]
fn counting_alone_adds_no_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    grow(&path, 60, 1);
    let mut workshop = Workshop::open(&path).unwrap();
    let settings = Lessons { least_empties: 24, only_count: true };
    settings.learn(&mut workshop, &mut crew(1), lessons(), |_| {}).unwrap();
    let graph = workshop.finish().unwrap();
    assert_eq!(graph.len(), 60);
    assert_eq!(graph.get(&Board::START).unwrap().entry().games.total(), 12);
}

#[test]
fn two_writers_and_foreign_journals_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.book", "b.book"].map(|name| folder.path().join(name));
    grow(&a, 20, 1);
    grow(&b, 10, 1);
    let workshop = Workshop::open(&a).unwrap();
    let busy = Workshop::open(&a).unwrap_err().to_string();
    assert!(busy.contains("another process"), "{busy}");
    drop(workshop);
    // The journal of one book beside another.
    let mut workshop = Workshop::open(&a).unwrap();
    let growth = Growth { positions: 25, ..Growth::default() };
    growth.grow(&mut workshop, &mut crew(1), |_| {}).unwrap();
    drop(workshop);
    let journal = Journal::path_of(&a);
    std::fs::copy(&journal, Journal::path_of(&b)).unwrap();
    let error = Workshop::open(&b).unwrap_err().to_string();
    assert!(error.contains("belongs to another book"), "{error}");
    // A damaged one is named with its place; one that is cut off is resumed.
    let mut bytes = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &bytes[..bytes.len() - 3]).unwrap();
    assert!(Workshop::open(&a).unwrap().graph().len() >= 20);
    bytes[60] ^= 1;
    std::fs::write(&journal, &bytes).unwrap();
    let error = Workshop::open(&a).unwrap_err().to_string();
    assert!(error.starts_with("damaged journal at byte 48"), "{error}");
}

/// The process that is killed: grows slowly, so that there is something to
/// interrupt.
#[test]
#[ignore = "run by the test below"]
fn child_that_grows() {
    let path = std::env::var_os("DISCERN_TEST_BOOK").expect("set by the parent");
    let judge = || {
        Box::new(|board: &Board, except: Bitboard| {
            std::thread::sleep(Duration::from_millis(2));
            opinion(board, except)
        }) as Box<dyn discern_book::Judge>
    };
    let mut workshop = Workshop::open(&path).unwrap();
    workshop.note("grow: opinions");
    let growth = Growth { positions: 500, ..Growth::default() };
    let mut crew = Crew { judges: vec![judge(), judge()], stop: &|| false };
    growth.grow(&mut workshop, &mut crew, |_| {}).unwrap();
    workshop.finish().unwrap();
}

#[test]
fn killed_twenty_times_nothing_is_lost_and_nothing_doubled() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole.book"), folder.path().join("killed.book"));
    grow(&whole, 500, 2);
    let start = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "growing::child_that_grows", "--ignored"])
            .env("DISCERN_TEST_BOOK", &killed)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let journal = Journal::path_of(&killed);
    let size = || std::fs::metadata(&journal).map_or(0, |data| data.len());
    let mut before = 0;
    for _ in 0..20 {
        let mut child = start();
        // Until it has done something: a machine may be busy.
        while size() <= before + 300 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(!killed.exists(), "it must not be done yet");
        child.kill().unwrap();
        child.wait().unwrap();
        // What was in the journal stays, but for an unfinished frame.
        assert!(size() >= before);
        before = size();
    }
    assert!(start().wait().unwrap().success());
    assert!(!journal.exists());
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&killed).unwrap());
}
