/** Scores, and how sure they are. */

import type { Outcomes } from './api/answers';
import type { Color } from './game/rules';

/** Standard deviations of a 95 % interval. */
const Z = 1.96;
/** Wins and losses that are added before the spread is taken, so that few games without a loss are not certain. */
const ADDED = 2;

export function gamesOf(outcomes: Outcomes): number {
  return outcomes.white + outcomes.draws + outcomes.black;
}

/** (wins + draws / 2) / games of one side, 0 to 1. */
export function scoreOf(outcomes: Outcomes, side: Color): number | null {
  const games = gamesOf(outcomes);
  if (games === 0) return null;
  return ((side === 'white' ? outcomes.white : outcomes.black) + outcomes.draws / 2) / games;
}

/** Half the width of the score's 95 % interval, as Agresti and Coull adjust it. */
export function marginOf(outcomes: Outcomes): number {
  const [white, black] = [outcomes.white + ADDED, outcomes.black + ADDED];
  const games = white + outcomes.draws + black;
  const mean = (white + outcomes.draws / 2) / games;
  const squares = white * (1 - mean) ** 2 + outcomes.draws * (0.5 - mean) ** 2 + black * mean ** 2;
  return Z * Math.sqrt(squares / games / games);
}
