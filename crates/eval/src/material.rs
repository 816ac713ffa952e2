use discern_board::Board;

use crate::Value;
use crate::evaluator::stateless;

/// Counts discs: a tenth of a logit each. Knows nothing, and is the trivial
/// evaluator for tests.
#[derive(Debug, Clone, Copy, Default)]
pub struct Material;

impl Material {
    #[inline]
    fn estimate(&self, board: &Board) -> Value {
        Value::estimate(100 * (board.mover().count() as i32 - board.opponent().count() as i32))
    }
}

stateless!(Material);
