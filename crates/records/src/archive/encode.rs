use std::collections::HashMap;

use discern_board::{Color, Move, Position};

use super::bytes::{Cursor, put, put_option, put_signed, zigzag};
use super::coder::BitEncoder;
use super::columns::{COLUMNS, Column, Expected, evaluation_code, flag, verdict_code};
use super::decode::{Decoder, Memory};
use super::order;
use super::source::{Columns, Models, Stream};
use crate::limits::Limits;
use crate::record::{GameRecord, Name};

/// Codes games until they are written as a block.
#[derive(Default)]
pub struct Encoder {
    /// The fields of the game in hand.
    columns: [Vec<u8>; COLUMNS],
    names: HashMap<Name, u64>,
    last_source: (u64, u64),
    coder: BitEncoder,
    models: Models,
    /// Of the decoder that asks for the fields.
    memory: Memory,
    games: u32,
}

impl Encoder {
    /// Games so far.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Bytes so far, before compression.
    pub fn size(&self) -> u32 {
        self.models.size()
    }

    /// The stream of all games.
    pub fn finish(self) -> Vec<u8> {
        self.coder.finish()
    }

    /// Adds a game that [`GameRecord::check`] accepts.
    pub fn push(&mut self, record: &GameRecord) {
        self.lay_out(record);
        let columns = Columns(std::array::from_fn(|column| Cursor(&self.columns[column])));
        let source = Stream { coder: &mut self.coder, models: &mut self.models, given: columns };
        let game = Decoder::new(source, &mut self.memory).next_game();
        debug_assert!(game.is_ok(), "what was laid out can be read");
        self.columns.iter_mut().for_each(Vec::clear);
        self.games += 1;
    }

    /// Puts every field of a game into its column.
    fn lay_out(&mut self, record: &GameRecord) {
        let mut flags = 0;
        self.push_players(record, &mut flags);
        self.push_game(record, &mut flags);
        self.push_provenance(record, &mut flags);
        self.push_notes(record, &mut flags);
        self.push_tags(record, &mut flags);
        put(self.column(Column::Flags), flags);
    }

    fn column(&mut self, column: Column) -> &mut Vec<u8> {
        &mut self.columns[column as usize]
    }

    /// The number of a name in this block; 0 is the empty name.
    fn name(&mut self, name: &Name) -> u64 {
        if name.is_empty() {
            return 0;
        }
        let next = self.names.len() as u64 + 1;
        if let Some(&number) = self.names.get(name) {
            return number;
        }
        self.names.insert(name.clone(), next);
        let column = self.column(Column::Names);
        put(column, name.len() as u64);
        column.extend_from_slice(name.as_bytes());
        next
    }

    fn push_players(&mut self, record: &GameRecord, flags: &mut u64) {
        let limited = Color::BOTH.iter().any(|&color| !record.players[color].limits.is_unknown());
        for color in Color::BOTH {
            let player = &record.players[color];
            let number = self.name(&player.name);
            put(self.column(Column::Players), number);
            if limited {
                *flags |= flag::LIMITS;
                put_limits(self.column(Column::Limits), &player.limits);
            }
        }
    }

    fn push_game(&mut self, record: &GameRecord, flags: &mut u64) {
        let game = &record.game;
        let start = game.start();
        if start != Position::START {
            *flags |= flag::START;
            let column = self.column(Column::Starts);
            for color in Color::BOTH {
                column.extend(start.discs_of(color).0.to_le_bytes());
            }
            column.push(start.mover as u8);
        }
        put(self.column(Column::Openings), record.opening as u64);
        let over = game.is_over();
        if !over {
            *flags |= flag::STOPPED;
            put(self.column(Column::Lengths), game.plies().len() as u64);
        }
        for ply in game.plies() {
            let board = ply.before.board;
            let moves = board.moves();
            // A forced move needs no number, and a pass is always forced.
            if let (Move::Place(square), true) = (ply.mv, moves.count() > 1) {
                self.column(Column::Moves).push(order::number_of(&board, moves, square));
            }
        }
        self.column(Column::Endings).push(record.ending as u8);
        if record.score_black != game.score_black() {
            *flags |= flag::SCORE;
            let score = record.score_black.map(|score| (score.discs() + 64) as u64);
            put_option(self.column(Column::Scores), score);
        }
    }

    fn push_provenance(&mut self, record: &GameRecord, flags: &mut u64) {
        if let Some(seed) = record.seed {
            *flags |= flag::SEED;
            self.column(Column::Seeds).extend(seed.to_le_bytes());
        }
        if let Some(source) = &record.source {
            *flags |= flag::SOURCE;
            let plan = self.name(&source.plan);
            // Neighbours in the file are neighbours in the plan: differences
            // are nearly always 0 and 1.
            let (shard, game) = self.last_source;
            let column = self.column(Column::Sources);
            put(column, plan);
            put_signed(column, source.shard.wrapping_sub(shard) as i64);
            put_signed(column, source.game.wrapping_sub(game) as i64);
            self.last_source = (source.shard, source.game);
        }
        if !record.solved.is_empty() {
            *flags |= flag::SOLVED;
            let column = self.column(Column::Solved);
            put(column, record.solved.len() as u64);
            for solved in &record.solved {
                put(column, solved.ply as u64);
                column.push(verdict_code(solved.verdict));
            }
        }
        if let Some(correction) = &record.correction {
            *flags |= flag::CORRECTION;
            let column = self.column(Column::Corrections);
            column.extend(correction.parent.0.to_le_bytes());
            put(column, correction.ply as u64);
            put(column, evaluation_code(correction.played));
            put(column, evaluation_code(correction.better));
            put(column, correction.depth.into());
        }
    }

    fn push_notes(&mut self, record: &GameRecord, flags: &mut u64) {
        if record.notes.is_empty() {
            return;
        }
        *flags |= flag::NOTES;
        let mut expected = Expected::default();
        for note in &record.notes {
            let evaluation = expected.code(note.evaluation);
            put_option(self.column(Column::Evaluations), evaluation);
            put_option(self.column(Column::Times), note.time_ms);
            put_option(self.column(Column::Depths), note.depth.map(u64::from));
            put_option(self.column(Column::Nodes), note.nodes);
        }
    }

    fn push_tags(&mut self, record: &GameRecord, flags: &mut u64) {
        let ratings = Color::BOTH.map(|color| record.players[color].rating_centi);
        let texts = [&record.event, &record.date, &record.comment];
        if texts.iter().all(|text| text.is_empty()) && ratings == [None; 2] {
            return;
        }
        *flags |= flag::TAGS;
        for text in texts {
            let number = self.name(text);
            put(self.column(Column::Tags), number);
        }
        for rating in ratings {
            put_option(self.column(Column::Tags), rating.map(|centi| zigzag(centi.into())));
        }
    }
}

fn put_limits(column: &mut Vec<u8>, limits: &Limits) {
    put_option(column, limits.depth.map(u64::from));
    put_option(column, limits.nodes);
    put_option(column, limits.move_ms);
    put_option(column, limits.clock.map(|clock| clock.main_ms));
    if let Some(clock) = limits.clock {
        put(column, clock.increment_ms);
        put(column, clock.grace_ms);
    }
}
