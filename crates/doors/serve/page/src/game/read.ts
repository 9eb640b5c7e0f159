/** What a person pastes or types: a move, a line, a FEN or a PGN. */

import { type Node, type PgnNodeData, parsePgn } from 'chessops/pgn';
import { START, fenOf, positionOf } from './rules';
import { type Place, advance, rootAt, rootOf } from './tree';

/** Where a text leads, or what is wrong with it. */
export type Reading = { place: Place } | { wrong: string };

/** Reads a text. Moves continue from `here` if they are legal there, else from the start of its tree. */
export function read(text: string, here: Place): Reading {
  const trimmed = text.trim();
  if (!trimmed) return { wrong: 'Type a move or the name of an opening, or paste a line, a FEN or a PGN.' };
  if (trimmed.split(/\s/)[0]?.split('/').length === 8) return readFen(trimmed);
  if (/^\s*\[\s*\w+\s+"/m.test(trimmed)) return readGame(trimmed);
  return readMoves(trimmed, here);
}

function readFen(text: string): Reading {
  const position = positionOf(text);
  if (!position) return { wrong: 'This is not a legal position of standard chess.' };
  return { place: rootAt(fenOf(position)) };
}

/** A game with tags begins a tree of its own. */
function readGame(text: string): Reading {
  const game = parsePgn(text)[0];
  const position = positionOf(game?.headers.get('FEN') ?? START);
  if (!game || !position) return { wrong: 'The game does not start from a position of standard chess.' };
  const root = rootAt(fenOf(position));
  const illegal = firstIllegal(root, game.moves);
  if (illegal && illegal === game.moves.children[0]?.data.san)
    return { wrong: `${illegal} is not legal here.` };
  return { place: graft(root, game.moves) };
}

function readMoves(text: string, here: Place): Reading {
  const single = /^\S+$/.test(text) && (advance(here, text) ?? advance(here, capitalised(text)));
  if (single) return { place: single };
  const moves = parsePgn(text)[0]?.moves;
  if (!moves?.children.length)
    return { wrong: 'This is no move, line, FEN or PGN, and no opening that the book has.' };
  const root = rootOf(here);
  const starts = /^1\s*\.(?!\.)/.test(text) ? [root, rootAt(START)] : [here, root, rootAt(START)];
  const start = starts.find((place) => firstIllegal(place, moves) === null);
  if (start) return { place: graft(start, moves) };
  return { wrong: `${firstIllegal(starts[0] ?? here, moves) ?? text} is not legal here.` };
}

/** `nf3` as it is meant; `b4` stays a pawn's move. */
function capitalised(text: string): string {
  return /^[nrqk]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** The first move of the main line that is not legal. */
function firstIllegal(start: Place, moves: Node<PgnNodeData>): string | null {
  const trial = rootAt(start.fen);
  let here = trial;
  for (let node = moves.children[0]; node; node = node.children[0]) {
    const next = advance(here, node.data.san);
    if (!next) return node.data.san;
    here = next;
  }
  return null;
}

/** Adds moves with their variations after a place, as far as they are legal; returns the end of the main line. */
function graft(place: Place, moves: Node<PgnNodeData>): Place {
  let end = place;
  moves.children.forEach((child, index) => {
    const next = advance(place, child.data.san);
    const reached = next && graft(next, child);
    if (index === 0 && reached) end = reached;
  });
  return end;
}
