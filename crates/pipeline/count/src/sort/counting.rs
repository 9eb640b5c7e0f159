//! Describes how games were counted, in the form in which a table stores this description.

use pgn::{filter::Dimension, replay::ReplayOptions};
use table::{Counting, Groups};

/// Converts the options of a replay to the form in which a table stores them.
#[must_use]
pub fn table_counting(options: &ReplayOptions) -> Counting {
    let counting = &options.counting;
    let by = |dimension| counting.by.contains(&dimension);
    Counting {
        max_ply: counting.max_ply,
        repeats: counting.repeats,
        illegal_move: counting.illegal_move,
        from_position: counting.from_position || counting.repertoire,
        groups: Groups {
            speed: by(Dimension::Speed),
            rating_band: by(Dimension::RatingBand),
            month: by(Dimension::Month),
            player_color: by(Dimension::PlayerColor) && options.filters.player.is_some(),
        },
        ratings: counting.ratings,
        unknown_result: counting.unknown_result,
        spelling: counting.spelling(),
        result_from: counting.text.result_from,
        repertoire: counting.repertoire,
        root: counting.root_key(),
        line: counting.line.as_ref().map(|line| line.moves.clone()),
        filters: [options.filters.describe()].into(),
    }
}
