/** The moves that were looked at: a tree that keeps its branches. */

import { type Played, play, turnOf } from './rules';

/** A position of the tree, and the move that led to it. */
export interface Place {
  /** The move that led here; empty at the root. */
  readonly uci: string;
  readonly san: string;
  readonly fen: string;
  /** Half-moves of the whole game before this position. */
  readonly ply: number;
  readonly parent: Place | null;
  /** What was played from here, the main line first. */
  readonly children: Place[];
}

export function rootAt(fen: string): Place {
  return { uci: '', san: '', fen, ply: firstPly(fen), parent: null, children: [] };
}

/** The place that a move leads to: the child that is there, or a new branch; null if it is not legal. */
export function advance(place: Place, move: string): Place | null {
  const known = place.children.find((child) => child.uci === move);
  if (known) return known;
  const played = play(place.fen, move);
  return played && (place.children.find((child) => child.uci === played.uci) ?? branch(place, played));
}

/** Follows moves as far as they are legal. */
export function follow(place: Place, moves: readonly string[]): Place {
  let here = place;
  for (const move of moves) {
    const next = advance(here, move);
    if (!next) break;
    here = next;
  }
  return here;
}

/** The places from the root to this one, the root left out. */
export function lineTo(place: Place): Place[] {
  const line: Place[] = [];
  for (let here: Place | null = place; here?.parent; here = here.parent) line.unshift(here);
  return line;
}

export function rootOf(place: Place): Place {
  let here = place;
  while (here.parent) here = here.parent;
  return here;
}

/** The end of the main line from here. */
export function endOf(place: Place): Place {
  let here = place;
  for (let next = here.children[0]; next; next = here.children[0]) here = next;
  return here;
}

/** Cuts a move and all after it; returns the place before it. */
export function cut(place: Place): Place {
  const siblings = place.parent?.children ?? [];
  siblings.splice(siblings.indexOf(place), 1);
  return place.parent ?? place;
}

/** Makes every move to this place the first of its position. */
export function makeMainLine(place: Place): void {
  for (const step of lineTo(place)) {
    const siblings = step.parent?.children ?? [];
    siblings.splice(siblings.indexOf(step), 1);
    siblings.unshift(step);
  }
}

/** Whether the move to this place is the main line's, all the way. */
export function isMainLine(place: Place): boolean {
  return lineTo(place).every((step) => step.parent?.children[0] === step);
}

/** `12.` or `12…`, before the move that led to a place. */
export function numberOf(place: Place): string {
  const number = Math.ceil(place.ply / 2);
  return place.ply % 2 === 1 ? `${number}.` : `${number}…`;
}

/** A tree as it is kept while the tab is open. */
export type Branches = [move: string, after: Branches][];

export function branchesOf(place: Place): Branches {
  return place.children.map((child) => [child.uci, branchesOf(child)]);
}

export function grow(place: Place, branches: Branches): void {
  for (const [move, after] of branches) {
    const child = advance(place, move);
    if (child) grow(child, after);
  }
}

function branch(parent: Place, played: Played): Place {
  const child: Place = { ...played, ply: parent.ply + 1, parent, children: [] };
  parent.children.push(child);
  return child;
}

function firstPly(fen: string): number {
  const number = Number(fen.split(' ')[5] ?? 1);
  return 2 * (Math.max(1, number || 1) - 1) + (turnOf(fen) === 'black' ? 1 : 0);
}
