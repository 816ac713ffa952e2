//! The rules, noun by noun.
#![allow(unused_imports)]

mod bitboard {
    use discern_board::testing::*;
    use discern_board::*;

    #[test]
    fn growing_does_not_wrap_around_the_edges() {
        for square in Square::ALL {
            let expected: Bitboard = Square::ALL
                .into_iter()
                .filter(|other| {
                    other.column().abs_diff(square.column()) <= 1
                        && other.row().abs_diff(square.row()) <= 1
                })
                .collect();
            assert_eq!(Bitboard::of(square).grown(), expected, "{square}");
        }
    }

    #[test]
    fn named_sets_hold_their_squares() {
        let set = |names: &str| -> Bitboard {
            names.split(' ').map(|name| name.parse::<Square>().unwrap()).collect()
        };
        assert_eq!(Bitboard::CORNERS, set("a1 h1 a8 h8"));
        assert_eq!(Bitboard::X_SQUARES, set("b2 g2 b7 g7"));
        assert_eq!(Bitboard::C_SQUARES, set("b1 a2 g1 h2 a7 b8 h7 g8"));
        assert_eq!(Bitboard::EDGES.count(), 28);
        assert_eq!(Bitboard::EDGES.squares().len(), 28);
    }
}

mod square {
    use discern_board::testing::*;
    use discern_board::*;

    #[test]
    fn every_square_survives_printing_and_parsing() {
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.to_string().to_uppercase().parse(), Ok(square));
            assert_eq!(Square::from_index(square.index() as u32), square);
            assert_eq!(Square::at(square.column(), square.row()), Some(square));
        }
    }

    #[test]
    fn what_is_not_a_square_is_refused() {
        for text in ["", "a", "a0", "a9", "i1", "a1 ", "11", "é1", "`1", "A-"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError(text.into())));
        }
    }
}

mod board {
    use discern_board::testing::*;
    use discern_board::*;

    fn board(text: &str) -> Board {
        text.parse::<Position>().unwrap().board
    }

    #[test]
    fn start_has_four_moves() {
        assert_eq!(
            Board::START.moves().squares().map(|s| s.to_string()).collect::<String>(),
            "d3c4f5e6"
        );
        assert!(Board::START.play(Move::Pass).is_none());
        assert!(Board::START.play(Square::D4.into()).is_none());
        assert!(Board::START.play(Square::A1.into()).is_none());
    }

    #[test]
    fn a_move_changes_sides() {
        let after = Board::START.play(Square::F5.into()).unwrap();
        assert_eq!(
            after.opponent(),
            [Square::E4, Square::D5, Square::E5, Square::F5].into_iter().collect()
        );
        assert_eq!(after.mover(), Bitboard::of(Square::D4));
    }

    #[test]
    fn empties_go_to_the_winner() {
        let wiped_out = Board::new(Bitboard(0b111), Bitboard::EMPTY).unwrap();
        assert_eq!(wiped_out.final_score(), Score::MAX);
        assert_eq!(wiped_out.pass().final_score(), Score::MIN);
        let even = Board::new(Bitboard(0b11), Bitboard(0b1100)).unwrap();
        assert_eq!(even.final_score(), Score::DRAW);
        assert!(wiped_out.is_over() && !wiped_out.must_pass());
    }

    #[test]
    fn no_square_holds_two_discs() {
        assert_eq!(Board::new(Bitboard(0b110), Bitboard(0b011)), None);
        let both = Board::new(Bitboard(0b10), Bitboard(0b01)).unwrap();
        assert_eq!((both.mover(), both.opponent()), (Bitboard(0b10), Bitboard(0b01)));
    }

    #[test]
    fn full_board_is_over() {
        let full = Board::new(Bitboard(0xffff_ffff), Bitboard(!0xffff_ffff)).unwrap();
        assert!(full.is_over());
        assert_eq!(full.final_outcome(), Outcome::Draw);
    }

    #[test]
    fn pass_needs_a_blocked_mover_and_a_free_opponent() {
        // X (the mover) has no disc to outflank with; O plays c1.
        let blocked = board("OX--------------------------------------------------------------  X");
        assert!(blocked.must_pass());
        assert_eq!(blocked.play(Move::Pass), Some(blocked.pass()));
        assert!(blocked.pass().play(Square::C1.into()).is_some());
    }
}

mod position {
    use discern_board::testing::*;
    use discern_board::*;

    #[test]
    fn positions_survive_printing_and_parsing() {
        for (i, board) in random_discs(1, 2000).enumerate() {
            let position = Position { board, mover: Color::BOTH[i % 2] };
            assert_eq!(position.to_string().parse(), Ok(position));
        }
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let error = |text: &str| text.parse::<Position>().unwrap_err().to_string();
        let empty = "-".repeat(64);
        assert_eq!(error("--X X"), "a board has 64 squares, this one has 3");
        assert_eq!(error(&format!("{empty}- X")), "a board has 64 squares, this one has 65");
        assert_eq!(
            error(&format!("--Q{} X", &empty[3..])),
            "column 3: 'Q' is not a square's content (X black, O white, - empty)"
        );
        assert_eq!(error(&empty), "the side to move (X or O) is missing after the board");
        assert_eq!(error(&format!("{empty} 1")), "column 66: '1' is not a side to move (X or O)");
        assert_eq!(error(&format!("{empty} XO")), "column 66: 'XO' is not a side to move (X or O)");
        assert_eq!(error(""), "a board has 64 squares, this one has 0");
        assert!(error(&format!("{}é X", &empty[1..])).starts_with("column 64: 'é'"));
    }
}

mod symmetry {
    use discern_board::testing::*;
    use discern_board::*;

    #[test]
    fn squares_go_where_the_names_say() {
        use Square::*;
        let go = |symmetry: Symmetry| [A1, B1, H1].map(|square| symmetry.square(square));
        assert_eq!(go(Symmetry::Identity), [A1, B1, H1]);
        assert_eq!(go(Symmetry::MirrorColumns), [H1, G1, A1]);
        assert_eq!(go(Symmetry::MirrorRows), [A8, B8, H8]);
        assert_eq!(go(Symmetry::HalfTurn), [H8, G8, A8]);
        assert_eq!(go(Symmetry::Transpose), [A1, A2, A8]);
        assert_eq!(go(Symmetry::QuarterTurn), [H1, H2, H8]);
        assert_eq!(go(Symmetry::BackTurn), [A8, A7, A1]);
        assert_eq!(go(Symmetry::AntiTranspose), [H8, H7, H1]);
    }

    #[test]
    fn inverse_undoes() {
        for board in random_discs(2, 1000) {
            for symmetry in Symmetry::ALL {
                assert_eq!(symmetry.inverse().board(symmetry.board(board)), board);
            }
        }
    }

    #[test]
    fn canonical_is_the_least_image_and_the_same_for_all_eight() {
        for board in random_discs(3, 2000) {
            let least = Symmetry::ALL.map(|s| s.board(board)).into_iter().min().unwrap();
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(board);
                let (canonical, by) = image.canonical_by();
                assert_eq!(canonical, least);
                assert_eq!(by.board(image), least);
            }
        }
    }

    #[test]
    fn moves_and_flips_turn_with_the_board() {
        for board in random_game_boards(4, 50) {
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(board);
                assert_eq!(image.moves(), symmetry.bitboard(board.moves()));
                for square in board.moves() {
                    let flips = symmetry.bitboard(board.flips(square));
                    assert_eq!(image.flips(symmetry.square(square)), flips);
                }
            }
        }
    }
}

mod game {
    use discern_board::testing::*;
    use discern_board::*;

    #[test]
    fn undo_goes_back_to_the_start() {
        let mut game: Game = "f5d6c3d3c4".parse().unwrap();
        let moves: Vec<Move> = game.moves().collect();
        for expected in moves.into_iter().rev() {
            assert_eq!(game.undo(), Some(expected));
        }
        assert_eq!(game.undo(), None);
        assert_eq!(game, Game::default());
    }

    #[test]
    fn illegal_move_leaves_the_game_unchanged() {
        let mut game: Game = "f5d6".parse().unwrap();
        let before = game.clone();
        let error = game.play(Square::A1.into()).unwrap_err();
        assert_eq!(error.to_string(), "a1 is not a legal move for black");
        assert!(game.play_after_pass(Move::Pass).is_err());
        assert_eq!(game, before);
    }

    #[test]
    fn unchecked_moves_lead_to_the_same_game() {
        for game in random_games(12, 20) {
            let mut twin = Game::with_capacity(game.start(), 60);
            for mv in game.moves() {
                let after = twin.position().board.play(mv).unwrap();
                twin.play_unchecked(mv, after);
            }
            assert_eq!(twin, game);
        }
    }

    #[test]
    fn wipe_out_ends_the_game() {
        // The shortest wipe-out: Black has all discs after nine moves.
        let game: Game = "e6f4e3f6g5d6e7f5c5".parse().unwrap();
        assert!(game.is_over());
        assert_eq!(game.score_black(), Some(Score::MAX));
    }

    #[test]
    fn a_left_out_pass_is_put_in() {
        let text = "OX--------------------------------------------------------------  X";
        let mut game = Game::new(text.parse().unwrap());
        game.play_after_pass(Square::C1.into()).unwrap();
        assert_eq!(game.moves().collect::<Vec<_>>(), [Move::Pass, Move::Place(Square::C1)]);
        assert_eq!(game.position().mover, Color::Black);
    }
}

mod transcript {
    use discern_board::testing::*;
    use discern_board::*;

    #[test]
    fn games_survive_printing_and_parsing() {
        let mut passes = 0;
        for game in random_games(5, 500) {
            passes += game.moves().filter(|&mv| mv == Move::Pass).count();
            assert_eq!(game.to_string().parse(), Ok(game));
        }
        assert!(passes > 0, "some games should have passes");
    }

    #[test]
    fn case_blanks_and_written_passes_are_free() {
        let plain: Game = "f5d6c3d3".parse().unwrap();
        assert_eq!(" F5 d6\tC3\nd3 ".parse(), Ok(plain));
        let blocked = "OX--------------------------------------------------------------  X";
        let start = blocked.parse().unwrap();
        let left_out = Game::from_transcript(start, "c1").unwrap();
        for written in ["pac1", "PASS c1", "--c1", "ps C1"] {
            assert_eq!(Game::from_transcript(start, written), Ok(left_out.clone()));
        }
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let error = |text: &str| text.parse::<Game>().unwrap_err().to_string();
        assert_eq!(error("f5d6 k9"), "column 6: 'k9' is not a move");
        assert_eq!(error("f5d"), "column 3: 'd' is not a move");
        assert_eq!(error("f5 f5"), "move 2, column 4: f5 is not a legal move for white");
        assert_eq!(error("f5pa"), "move 2, column 3: pass is not a legal move for white");
        assert_eq!(error("é"), "column 1: 'é' is not a move");
    }
}

mod perft {
    use discern_board::testing::*;
    use discern_board::*;

    /// The known counts for depths 1 to 11.
    const START: [u64; 11] =
        [4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288, 24_571_284, 212_258_800];

    #[test]
    fn start_position_has_the_known_counts() {
        assert_eq!(perft(Board::START, 0), 1);
        for (depth, &expected) in (1..).zip(&START) {
            assert_eq!(perft(Board::START, depth), expected, "depth {depth}");
        }
    }

    #[test]
    fn passes_count_and_finished_games_are_one_path() {
        let text = "OX--------------------------------------------------------------  X";
        let blocked = text.parse::<Position>().unwrap().board;
        // Pass, c1, and the game is over.
        assert_eq!([1, 2, 3, 4].map(|depth| perft(blocked, depth)), [1, 1, 1, 1]);
    }

    #[test]
    fn all_images_have_the_same_count() {
        let board = Position::START.board.play("f5".parse().unwrap()).unwrap();
        for symmetry in Symmetry::ALL {
            assert_eq!(perft(symmetry.board(board), 6), perft(board, 6));
        }
    }
}
