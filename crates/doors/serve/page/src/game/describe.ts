/** A position in words, for those who hear the page. */

import { type Color, type Role, ending, isCheck, positionOf, turnOf } from './rules';
import { type Place, numberOf } from './tree';
import { makeSquare } from 'chessops/util';

const ROLES: [Role, string][] = [
  ['king', 'king'],
  ['queen', 'queen'],
  ['rook', 'rooks'],
  ['bishop', 'bishops'],
  ['knight', 'knights'],
  ['pawn', 'pawns'],
];

/** `After 3. Bb5. Black to move.` */
export function spoken(place: Place): string {
  const after = place.parent ? `After ${numberOf(place)} ${place.san}.` : 'First position.';
  const ended = ending(place.fen);
  if (ended) return `${after} ${ended}.`;
  const check = isCheck(place.fen) ? ', in check' : '';
  return `${after} ${turnOf(place.fen) === 'white' ? 'White' : 'Black'} to move${check}.`;
}

/** `White: king e1, queen d1 …. Black: …` */
export function pieces(fen: string): string {
  return `White: ${side(fen, 'white')}. Black: ${side(fen, 'black')}.`;
}

function side(fen: string, color: Color): string {
  const board = positionOf(fen)?.board;
  if (!board) return '';
  const named = ROLES.map(([role, name]) => {
    const squares = [...board.pieces(color, role)].map(makeSquare);
    return squares.length > 0 ? `${name} ${squares.join(' ')}` : '';
  });
  return named.filter(Boolean).join(', ');
}
