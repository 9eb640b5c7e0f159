/** The rules of chess, by chessops; moves in UCI notation with castling as the king's move. */

import { type Position, Chess, castlingSide } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import type { Color, Move, Role, SquareName } from 'chessops/types';
import { isNormal } from 'chessops/types';
import { kingCastlesTo, makeSquare, makeUci, parseSquare, parseUci } from 'chessops/util';

export type { Color, Role, SquareName };
export const START = INITIAL_FEN;

/** The position of a FEN, of an EPD or of an X-FEN; null if it is none of standard chess. */
export function positionOf(fen: string): Position | null {
  return parseFen(fen.trim()).unwrap(
    (setup) =>
      Chess.fromSetup(setup).unwrap(
        (position) => position,
        () => null,
      ),
    () => null,
  );
}

export function fenOf(position: Position): string {
  return makeFen(position.toSetup());
}

export interface Played {
  uci: string;
  san: string;
  fen: string;
}

/** What a legal move makes of a position; null if the move is not legal there. */
export function play(fen: string, text: string): Played | null {
  const position = positionOf(fen);
  const move = position && readMove(position, text);
  if (!position || !move) return null;
  const [uci, san] = [uciOf(position, move), makeSan(position, move)];
  position.play(move);
  return { uci, san, fen: fenOf(position) };
}

/** Where each piece may go, for the board. */
export function destinations(fen: string): Map<SquareName, SquareName[]> {
  const position = positionOf(fen);
  return position ? chessgroundDests(position) : new Map();
}

/** All legal moves. */
export function legalMoves(fen: string): string[] {
  const moves = [...destinations(fen)].flatMap(([from, squares]) => squares.map((to) => ({ from, to })));
  return moves.flatMap(({ from, to }) =>
    promotes(fen, from, to) ? ['q', 'r', 'b', 'n'].map((role) => from + to + role) : [from + to],
  );
}

/** Whether a move from one square to another is a pawn's that promotes. */
export function promotes(fen: string, from: string, to: string): boolean {
  const square = parseSquare(from);
  const isPawn = square !== undefined && positionOf(fen)?.board.get(square)?.role === 'pawn';
  return isPawn && (to.endsWith('8') || to.endsWith('1'));
}

export function turnOf(fen: string): Color {
  return fen.split(' ')[1] === 'b' ? 'black' : 'white';
}

export function isCheck(fen: string): boolean {
  return positionOf(fen)?.isCheck() ?? false;
}

/** Where no move is left: how the game ended. */
export function ending(fen: string): string | null {
  const position = positionOf(fen);
  if (position?.isCheckmate()) return 'Checkmate';
  if (position?.isStalemate()) return 'Stalemate';
  return null;
}

/** Reads SAN or UCI, with zeros or letters in castling. */
function readMove(position: Position, text: string): Move | null {
  const uci = parseUci(text.toLowerCase());
  if (uci && position.isLegal(uci)) return uci;
  const move = parseSan(position, text.replaceAll('0', 'O').replace(/[!?]+$/, ''));
  return move ?? parseSan(position, text) ?? null;
}

function uciOf(position: Position, move: Move): string {
  const side = castlingSide(position, move);
  if (!side || !isNormal(move)) return makeUci(move);
  return makeSquare(move.from) + makeSquare(kingCastlesTo(position.turn, side));
}
