//! Our engine as a player: how it strays, and what it is charged for.
#![cfg(unix)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use discern_board::{Color, Game};
use discern_players::player::Player;
use discern_players::{Played, PlayerSpec, Referee, Rules, Seat, WeightStore};
use discern_records::{Clock as GameClock, Ending, Limits as Allowed};
use discern_search::StopFlag;

fn player(text: &str) -> Box<dyn Player> {
    text.parse::<PlayerSpec>().unwrap().player(&WeightStore::new()).unwrap()
}

#[test]
fn a_straying_player_plays_other_games_with_other_seeds_only() {
    let moves = |text: &str, seed: u64| {
        let (mut black, mut white) = (player(text), player("rev,depth=1"));
        let limits = Allowed::depth(1);
        let seats = [
            Seat { name: "black", limits, player: &mut *black },
            Seat { name: "white", limits, player: &mut *white },
        ];
        let (rules, stop) = (Rules::default(), &StopFlag::new());
        let mut referee = Referee { rules, solver: None, stop, seed };
        referee.play(&Game::default(), seats).record.game
    };
    let straying = "rev,depth=1,chance=500,margin=3000";
    assert_eq!(moves(straying, 7), moves(straying, 7));
    assert_ne!(moves(straying, 7), moves(straying, 8));
    assert_eq!(moves("rev,depth=1", 7), moves("rev,depth=1", 8));
    // The second program with the same evaluation plays games of its own, and the
    // same ones every time.
    let plain = "rev,depth=3,search=plain,chance=500,margin=3000";
    assert_eq!(moves(plain, 7), moves(plain, 7));
    assert_ne!(moves(plain, 7), moves("rev,depth=3,chance=500,margin=3000", 7));
}

#[test]
fn a_busy_machine_takes_nothing_from_players_on_processor_time() {
    let player = || player("rev,timing=processor,hash=1");
    let clock = GameClock { main_ms: 40, increment_ms: 0, grace_ms: 0 };
    let limits = Allowed { clock: Some(clock), ..Allowed::default() };
    let (mut black, mut white) = (player(), player());
    let seats = [
        Seat { name: "black", limits, player: &mut *black },
        Seat { name: "white", limits, player: &mut *white },
    ];
    let busy = AtomicBool::new(true);
    let Played { record, .. } = thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while busy.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let (rules, stop) = (Rules::default(), &StopFlag::new());
        let played = Referee { rules, solver: None, stop, seed: 1 }.play(&Game::default(), seats);
        busy.store(false, Ordering::Relaxed);
        played
    });
    assert_eq!(record.ending, Ending::Played, "{}", record.comment);
    for color in Color::BOTH {
        let moves = record.game.plies().iter().zip(&record.notes);
        let of_color = moves.filter(|(ply, _)| ply.before.mover == color);
        let spent: u64 = of_color.filter_map(|(_, note)| note.time_ms).sum();
        assert!((5..=50).contains(&spent), "{color}: {spent} ms");
    }
}
