use discern_board::{Color, Game};
use discern_players::player::Player;
use discern_players::{Halt, JobError, Played, Referee, Seat, WeightStore};
use discern_search::{Engine, Options};

use super::{Fixture, TournamentPlan};

/// Plays one game after the other with players of its own, made when they are
/// first needed.
pub struct Worker {
    store: WeightStore,
    players: Vec<Option<Box<dyn Player>>>,
    solver: Option<Box<dyn Engine>>,
    openings: Vec<Game>,
}

impl Worker {
    /// A worker for this plan.
    ///
    /// # Errors
    /// Without memory for the solver.
    pub fn new(plan: &TournamentPlan, store: WeightStore) -> Result<Worker, JobError> {
        let solves = plan.rules.adjudicate_empties.is_some();
        let solver = solves.then(|| store.engine("rev", None, Options::default())).transpose()?;
        let openings = plan.openings.list(plan.seed);
        let players = plan.players.iter().map(|_| None).collect();
        Ok(Worker { store, players, solver, openings })
    }

    /// Plays a game. A program that died in it is started again in the next.
    ///
    /// # Errors
    /// If a player cannot be made.
    pub fn play(
        &mut self,
        plan: &TournamentPlan,
        fixture: Fixture,
        halt: &Halt,
    ) -> Result<Played, JobError> {
        // Both are taken out of the row, to be held at the same time.
        let mut take = |index: usize| match self.players[index].take() {
            Some(player) => Ok(player),
            None => plan.players[index].player(&self.store).map_err(|error| {
                JobError::Player(plan.players[index].name.clone(), Box::new(error))
            }),
        };
        let mut black = take(fixture.black)?;
        let mut white = take(fixture.white)?;
        let seat = |color: Color, player| {
            let spec = &plan.players[fixture.player(color)];
            Seat { name: &spec.name, limits: spec.limits, player }
        };
        let mut referee = Referee {
            rules: plan.rules,
            solver: self.solver.as_deref_mut().map(|solver| solver as &mut dyn Engine),
            stop: halt.stop_flag(),
            seed: discern_board::Dice::new(&[plan.seed, fixture.number]).next_u64(),
        };
        let seats = [seat(Color::Black, &mut *black), seat(Color::White, &mut *white)];
        let played = referee.play(&self.openings[fixture.opening], seats);
        let dead = |color: Color| {
            let fatal = played.failure.as_ref().filter(|(_, failure)| failure.is_fatal());
            fatal.is_some_and(|(who, _)| *who == color)
        };
        self.players[fixture.black] = (!dead(Color::Black)).then_some(black);
        self.players[fixture.white] = (!dead(Color::White)).then_some(white);
        Ok(played)
    }
}
