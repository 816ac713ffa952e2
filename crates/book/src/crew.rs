use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use discern_board::{Bitboard, Board};

use crate::error::BookError;
use crate::journal::Judged;
use crate::judge::{Deviation, Judge};
use crate::workshop::Workshop;

/// Judges, one for each thread, and when to stop.
pub struct Crew<'a> {
    /// They must answer alike.
    pub judges: Vec<Box<dyn Judge + 'a>>,
    /// Asked before each search; those under way are finished.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// A position, and the moves not to be considered.
pub(crate) type Question = (Board, Bitboard);

impl Crew<'_> {
    /// Asks all these questions in parallel; `None` if stopped before the last
    /// was answered. Answers are in the journal as soon as they are known, and
    /// what the journal knows already is not asked again. `told` hears how many
    /// are answered.
    pub(crate) fn ask(
        &mut self,
        workshop: &mut Workshop,
        questions: &[Question],
        mut told: impl FnMut(usize, &Workshop),
    ) -> Result<Option<Vec<Option<Deviation>>>, BookError> {
        let mut answers: Vec<Option<Option<Deviation>>> =
            questions.iter().map(|(board, except)| workshop.answered(board, *except)).collect();
        let open: Vec<usize> =
            (0..questions.len()).filter(|&index| answers[index].is_none()).collect();
        let mut done = questions.len() - open.len();
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let stop = self.stop;
        let kept = thread::scope(|scope| {
            for judge in &mut self.judges {
                let (sender, next, open) = (sender.clone(), &next, &open);
                scope.spawn(move || {
                    while let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if stop() {
                            break;
                        }
                        let (board, except) = questions[index];
                        let _ = sender.send((index, judge.judge(&board, except)));
                    }
                });
            }
            drop(sender);
            for (index, answer) in receiver {
                let (board, except) = questions[index];
                // The disk is full, say: the others end by themselves.
                if let Err(error) = workshop.keep(Judged { board, except, answer }) {
                    next.store(open.len(), Ordering::Relaxed);
                    return Err(error);
                }
                answers[index] = Some(answer);
                done += 1;
                told(done, workshop);
            }
            Ok(())
        });
        kept?;
        Ok(answers.into_iter().collect())
    }
}
