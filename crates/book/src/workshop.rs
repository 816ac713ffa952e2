use std::collections::HashMap;
use std::path::{Path, PathBuf};

use discern_board::{Bitboard, Board};

use crate::edax::read_edax;
use crate::entry::Entry;
use crate::error::BookError;
use crate::file::{BookFile, Manifest, to_bytes};
use crate::graph::Graph;
use crate::journal::{Frame, Journal, Judged};
use crate::judge::Deviation;
use crate::merge::{Merged, merged};

/// A book that is being changed: its graph, and on the disk its file and a
/// journal beside it.
///
/// Every change is in the journal before it counts, so `kill -9` at any time
/// loses nothing but the searches under way. [`Workshop::finish`] writes the
/// file anew, whole or not at all, and only then lets the journal go. Nobody
/// else can change the book meanwhile. One [in memory](Workshop::in_memory) has
/// no file.
#[derive(Debug)]
pub struct Workshop {
    home: Option<Home>,
    graph: Graph,
    manifest: Manifest,
    /// Answers of the judge that no change has used yet.
    answers: HashMap<(Board, Bitboard), Option<Deviation>>,
    changed: bool,
}

/// Where a book lives.
#[derive(Debug)]
struct Home {
    path: PathBuf,
    journal: Journal,
}

impl Workshop {
    /// An empty book that nothing is kept of but the graph in the end: for
    /// growth that is short, and done again when it is killed.
    pub fn in_memory() -> Workshop {
        Workshop {
            home: None,
            graph: Graph::new(),
            manifest: Manifest::new(),
            answers: HashMap::new(),
            changed: false,
        }
    }

    /// Opens a book to change it, or begins one; takes up what an interrupted
    /// process has left in the journal.
    pub fn open(path: impl AsRef<Path>) -> Result<Workshop, BookError> {
        let path = path.as_ref();
        let book = match path.exists() {
            true => BookFile::open(path)?,
            false => BookFile::from_bytes(to_bytes(&Graph::new(), &Manifest::new()))?,
        };
        let (mut journal, frames, of) = Journal::open(&Journal::path_of(path), book.id())?;
        let changed = !frames.is_empty();
        if of != book.id() && !changed {
            journal.restart(book.id())?;
        }
        let mut workshop = Workshop {
            home: None,
            graph: book.graph()?,
            manifest: book.manifest().clone(),
            answers: HashMap::new(),
            changed: false,
        };
        for frame in frames {
            workshop.take_up(frame);
        }
        workshop.graph.settle();
        if of != book.id() && changed {
            // Killed after the book was written and before the journal was
            // removed: then the book has it all already.
            if to_bytes(&workshop.graph, &workshop.manifest) != book.bytes() {
                return Err(BookError::ForeignJournal);
            }
            journal.restart(book.id())?;
            workshop.answers.clear();
        }
        workshop.home = Some(Home { path: path.to_owned(), journal });
        workshop.changed = changed && of == book.id();
        Ok(workshop)
    }

    fn take_up(&mut self, frame: Frame) {
        match frame {
            Frame::Change { entries, games } => {
                for entry in entries {
                    self.graph.put(entry);
                }
                self.graph.learn_all(games);
                self.answers.clear();
            }
            Frame::Judged(Judged { board, except, answer }) => {
                self.answers.insert((board, except), answer);
            }
        }
    }

    /// The book.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// How it was made.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Notes a step of how the book is made, unless it continues the last one.
    pub fn note(&mut self, step: &str) {
        self.manifest.note(step);
        self.changed = true;
    }

    /// Merges another book into this one ([`merged`]).
    ///
    /// # Errors
    /// If the other one is damaged, or the change cannot be kept.
    pub fn merge(&mut self, other: &BookFile) -> Result<Merged, BookError> {
        let graph = other.graph()?;
        let (entries, report) = merged(&self.graph, &graph);
        other.manifest().steps.iter().for_each(|step| self.note(step));
        self.change(entries, graph.learned().to_vec())?;
        Ok(report)
    }

    /// Imports a book of Edax. What we know of a position ourselves stays.
    ///
    /// # Errors
    /// If it is none or damaged, or the change cannot be kept.
    pub fn import_edax(&mut self, bytes: &[u8]) -> Result<(), BookError> {
        let mut entries = read_edax(bytes)?;
        entries.retain(|entry| self.graph.get(&entry.board).is_none());
        self.note("import: a book of Edax");
        self.change(entries, Vec::new())
    }

    /// An answer that a process before us got and did not use.
    pub(crate) fn answered(&self, board: &Board, except: Bitboard) -> Option<Option<Deviation>> {
        self.answers.get(&(*board, except)).copied()
    }

    /// Keeps an answer of the judge.
    pub(crate) fn keep(&mut self, judged: Judged) -> Result<(), BookError> {
        if let Some(home) = &mut self.home {
            home.journal.append(&Frame::Judged(judged))?;
        }
        self.answers.insert((judged.board, judged.except), judged.answer);
        Ok(())
    }

    /// Changes entries and enters games, all or nothing.
    pub fn change(&mut self, entries: Vec<Entry>, games: Vec<u64>) -> Result<(), BookError> {
        let frame = Frame::Change { entries, games };
        if let Some(home) = &mut self.home {
            home.journal.append(&frame)?;
        }
        self.take_up(frame);
        self.graph.settle();
        self.changed = true;
        Ok(())
    }

    /// Writes the book; the journal begins anew.
    pub fn save(&mut self) -> Result<(), BookError> {
        let Some(Home { path, journal }) = &mut self.home else { return Ok(()) };
        let bytes = to_bytes(&self.graph, &self.manifest);
        discern_files::write(path, &bytes, true)?;
        let id = BookFile::from_bytes(bytes)?.id().to_owned();
        journal.restart(&id)?;
        // Answers that are still needed outlive the change of journals.
        for (&(board, except), &answer) in &self.answers {
            journal.append(&Frame::Judged(Judged { board, except, answer }))?;
        }
        self.changed = false;
        Ok(())
    }

    /// Writes the book if it has changed, and removes the journal unless it
    /// has answers that a resumed growth will ask for.
    pub fn finish(mut self) -> Result<Graph, BookError> {
        if self.changed {
            self.save()?;
        }
        if self.answers.is_empty()
            && let Some(home) = self.home
        {
            home.journal.remove()?;
        }
        Ok(self.graph)
    }
}
