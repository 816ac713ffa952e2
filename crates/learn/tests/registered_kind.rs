//! A kind of model that nobody knew when the program was compiled, and weights
//! with different features in one process.

use std::sync::Arc;

use discern_board::testing::random_games;
use discern_board::{Board, Color, Game};
use discern_eval::patterns::Indices;
use discern_eval::{
    AnyEvaluator, Basis, Estimate, Evaluator, Kind, Manifest, Model, NamedModel, Parts, Value,
    Weights, WeightsError, register,
};
use discern_learn::{ClassifiedPosition, FitSettings, compare, fit, fit_named, held_out};
use discern_search::{Engine, Limits, Options, StopFlag, engine};

/// So many logits for each disc more than the opponent's.
#[derive(Debug, Clone, Copy)]
struct Greedy(f64);

const GREEDY: Kind = Kind {
    name: "greedy",
    decode: |_, content| match content.try_into() {
        Ok(bytes) => Ok(Arc::new(Greedy(f64::from_le_bytes(bytes)))),
        Err(_) => Err(WeightsError::Malformed("greed is one number")),
    },
};

impl Model for Greedy {
    fn kind(&self) -> &'static str {
        GREEDY.name
    }

    fn encode(&self, _: &Basis) -> Vec<u8> {
        self.0.to_le_bytes().into()
    }

    fn evaluator(&self, _: &Basis) -> AnyEvaluator {
        (*self).into()
    }

    /// All of it comes before any feature.
    fn explain(&self, _: &Basis, board: &Board, x: &[f64]) -> Parts {
        let more = f64::from(board.mover().count()) - f64::from(board.opponent().count());
        Parts { intercept: self.0 * more, contributions: vec![0.0; x.len()] }
    }
}

impl Estimate for Greedy {
    fn estimate(&self, _: &Indices, board: &Board) -> Value {
        let more = f64::from(board.mover().count()) - f64::from(board.opponent().count());
        Value::from_log_odds(self.0 * more)
    }
}

/// The positions of random games with the results of these, one group each.
fn positions(seed: u64, games: usize) -> Vec<ClassifiedPosition> {
    let mut positions = Vec::new();
    for (group, game) in (0..).zip(random_games(seed, games)) {
        let black = game.score_black().expect("played to the end");
        positions.extend(game.plies().iter().map(|ply| {
            let score = if ply.before.mover == Color::Black { black } else { -black };
            let (board, outcome) = (ply.before.board.canonical(), score.outcome());
            let score = Some(score);
            ClassifiedPosition { board, games: 1, group, shared: false, outcome, score }
        }));
    }
    positions
}

/// Weights with LOG on these features.
fn log_on(features: &str) -> Weights {
    let settings = FitSettings {
        features: features.parse().unwrap(),
        least_rows: 500.0,
        models: vec![fit_named("log").unwrap()],
        ..FitSettings::default()
    };
    fit(&positions(71, 150), &settings, "test").unwrap().weights
}

/// Plays a game, a search of `depth` plies for each move.
fn game(depth: u32, players: [AnyEvaluator; 2]) -> Game {
    let options = Options { threads: 1, table_mebibytes: 1 };
    let mut engines: [Box<dyn Engine>; 2] = players.map(|p| engine(p, options).unwrap());
    let mut game = Game::default();
    while !game.is_over() {
        let position = game.position();
        let seat = &mut engines[usize::from(position.mover == Color::White)];
        let report =
            seat.search(&position.board, &Limits::depth(depth), &StopFlag::new(), &mut |_| {});
        game.play(report.best().expect("there is a move").mv).expect("it is legal");
    }
    game
}

#[test]
fn a_registered_kind_is_stored_plays_is_explained_and_compared() {
    let log = log_on("MOB,PMOB,R1,C2x5");
    let basis = log.basis().clone();
    let words = ["greedy", "GREEDY", "likes discs"];
    let greedy =
        NamedModel::new(words, Manifest::new("test"), basis.clone(), Arc::new(Greedy(0.2)));
    let weights = Weights::new(basis, vec![log.models()[0].clone(), greedy]);

    // A file with it cannot be read before the kind is known.
    let file = tempfile::NamedTempFile::new().unwrap();
    weights.save(file.path()).unwrap();
    let unknown = Weights::load(file.path()).unwrap_err().to_string();
    assert!(unknown.contains("of kind 'greedy', which this program does not know"), "{unknown}");
    register(GREEDY);
    let read = Weights::load(file.path()).unwrap();
    assert_eq!(read, weights);
    assert_eq!(read.model("greedy").unwrap().get::<Greedy>().unwrap().0, 0.2);

    let evaluator = |name| discern_eval::evaluator(name, Some(&read)).unwrap();
    let finished = game(3, [evaluator("greedy"), evaluator("log")]);
    assert!(finished.is_over() && finished.plies().len() >= 9);

    let board = finished.plies()[20].before.board;
    let explanation = read.explain(&board);
    let explained = &explanation.models[1];
    assert_eq!((&*explained.name, &*explained.title), ("greedy", "GREEDY"));
    assert_eq!(explained.parts.contributions, [0.0; 4]);
    let value = evaluator("greedy").evaluate(&board);
    assert!((explained.parts.value() - value.log_odds()).abs() < 0.001);

    let models = ["greedy", "log", "material"].map(|name| (name.to_owned(), evaluator(name)));
    let test = positions(72, 200);
    let found = compare(&models, &test, &[20..=24, 56..=60]);
    let names: Vec<_> = found.iter().map(|quality| &*quality.name).collect();
    assert_eq!(names, ["greedy", "log", "material"]);
    let discordance =
        |model: usize| found[model].phases[1].metrics.discordance.as_ref().unwrap().value;
    // It orders positions as a count of discs does.
    assert!(discordance(0) < 0.35 && (discordance(0) - discordance(2)).abs() < 0.02);
    assert_eq!(held_out(&models[0].1, &test).unwrap().positions, test.len() as u64);
}

#[test]
fn weights_with_different_features_play_each_other_and_share_their_evaluators() {
    let files = ["MOB,R1,C2x5", "PMOB,D8,E2X,R3"].map(|list| log_on(list).to_bytes());
    let weights = files.map(|file| Weights::from_bytes(&file).unwrap());
    assert_ne!(weights[0].hash(), weights[1].hash());
    let log = |weights: &Weights| weights.model("log").unwrap().evaluator();
    let finished = game(4, [log(&weights[0]), log(&weights[1])]);
    assert!(finished.is_over() && finished.plies().len() >= 9);
    for weights in &weights {
        // Clones share it, too.
        let (AnyEvaluator::Linear(one), AnyEvaluator::Linear(two)) =
            (log(weights), log(&weights.clone()))
        else {
            panic!("LOG is linear");
        };
        assert!(Arc::ptr_eq(&one, &two));
    }
    let differ = finished.plies().iter().filter(|ply| {
        let [one, two] =
            [0, 1].map(|place: usize| log(&weights[place]).evaluate(&ply.before.board));
        one != two
    });
    assert!(differ.count() > 30);
}
