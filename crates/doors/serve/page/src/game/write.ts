/** A tree as PGN, and a line as text. */

import { START, turnOf } from './rules';
import { type Place, lineTo, numberOf, rootOf } from './tree';

/** `1. e4 c5 2. Nf3`. */
export function lineText(place: Place): string {
  const line = lineTo(place);
  return line
    .map((step, index) => (index === 0 || step.ply % 2 === 1 ? `${numberOf(step)} ${step.san}` : step.san))
    .join(' ');
}

/** The whole tree with its branches. */
export function pgnOf(place: Place): string {
  const root = rootOf(place);
  const tags = root.fen === START ? '' : `[SetUp "1"]\n[FEN "${root.fen}"]\n`;
  return `[Event "?"]\n[Result "*"]\n${tags}\n${[...moves(root, true), '*'].join(' ')}\n`;
}

/** Moves after a place: the main move, its variations in parentheses, then what follows it. */
function moves(place: Place, numbered: boolean): string[] {
  const [main, ...others] = place.children;
  if (!main) return [];
  const variations = others.map((other) => `(${[word(other, true), ...moves(other, false)].join(' ')})`);
  return [word(main, numbered), ...variations, ...moves(main, variations.length > 0)];
}

function word(place: Place, numbered: boolean): string {
  const isWhite = place.parent !== null && turnOf(place.parent.fen) === 'white';
  return numbered || isWhite ? `${numberOf(place).replace('…', '...')} ${place.san}` : place.san;
}
