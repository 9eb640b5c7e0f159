/** Where games left a book, and who left it: the rules of docs/review.md. */

import { type Game, type PgnNodeData, PgnParser } from 'chessops/pgn';
import { type Color, START, legalMoves, play, turnOf } from './rules';

/** The most games that are read. */
export const GAMES_MAX = 5000;

/** Characters that are read at once. */
const CHUNK = 1 << 20;
/** Games that are followed at once. */
const FOLLOWED_AT_ONCE = 64;

export const DEPARTURES = [
  'player-left',
  'opponent-left',
  'book-ended',
  'completed',
  'other-opening',
  'other-side',
] as const;
export type Departure = (typeof DEPARTURES)[number];

/** A game of a file. */
export interface PlayedGame {
  white: string;
  black: string;
  result: string;
  /** The FEN of its first position. */
  start: string;
  sans: string[];
}

/** What a book has in a position, in UCI notation, the most played moves first. */
export interface BookMoves {
  all: string[];
  /** Those that the book plays: none that is ruled out. */
  played: string[];
  /** The only side that the book has moves of. */
  side?: Color | null;
}

export type LookUp = (fen: string) => Promise<BookMoves>;

/** The place where a game and a book parted. */
export interface Exit {
  departure: Departure;
  start: string;
  /** The moves before, in UCI notation. */
  line: string[];
  /** The position after them. */
  fen: string;
  /** The move that was played there, in SAN; null where the game ended. */
  played: string | null;
  /** The moves of the book there, in SAN. */
  book: string[];
}

/** Games that parted from the book by the same move of the same position. */
export interface ExitPlace extends Exit {
  games: number;
  /** Games with a result, and the player's points in them. */
  decided: number;
  points: number;
}

/** Reads the games of a PGN file that have moves; the first ones of a file of more than `GAMES_MAX`. */
export function readGames(text: string): PlayedGame[] {
  const games: PlayedGame[] = [];
  const parser = new PgnParser((game) => {
    if (game.moves.children.length > 0) games.push(playedGame(game));
  });
  for (let at = 0; at < text.length && games.length < GAMES_MAX; at += CHUNK)
    parser.parse(text.slice(at, at + CHUNK), { stream: at + CHUNK < text.length });
  return games.slice(0, GAMES_MAX);
}

function playedGame({ headers, moves }: Game<PgnNodeData>): PlayedGame {
  const tag = (name: string): string => headers.get(name) ?? '?';
  return {
    white: tag('White'),
    black: tag('Black'),
    result: tag('Result'),
    start: headers.get('FEN') ?? START,
    sans: [...moves.mainline()].map(({ san }) => san),
  };
}

/** The players with the number of their games, those of most games first. */
export function playersOf(games: readonly PlayedGame[]): [name: string, games: number][] {
  const count = new Map<string, number>();
  for (const name of games.flatMap(({ white, black }) => (white === black ? [white] : [white, black])))
    count.set(name, (count.get(name) ?? 0) + 1);
  return [...count].sort(([one, games], [other, others]) => others - games || one.localeCompare(other));
}

/** Follows the games of a player; the places of most games come first. */
export async function review(
  games: readonly PlayedGame[],
  player: string,
  lookUp: LookUp,
): Promise<ExitPlace[]> {
  const places = new Map<string, ExitPlace>();
  const sides = ['white', 'black'] as const;
  const waiting = games
    .flatMap((game) => sides.filter((own) => game[own] === player).map((own) => ({ game, own })))
    .values();
  const worker = async (): Promise<void> => {
    for (const { game, own } of waiting)
      add(places, own, await followGame(game, own, lookUp), pointsOf(game.result, own));
  };
  await Promise.all(Array.from({ length: FOLLOWED_AT_ONCE }, worker));
  return [...places.values()].sort(
    (one, other) => other.games - one.games || (lineOf(one) < lineOf(other) ? -1 : 1),
  );
}

/** Follows a game until it leaves the book. A move that is not legal ends it. */
export async function followGame(game: PlayedGame, own: Color, lookUp: LookUp): Promise<Exit> {
  const { start, sans } = game;
  const line: string[] = [];
  let fen = start;
  const { side } = await lookUp(start);
  if (side && side !== own) return { departure: 'other-side', start, line, fen, played: null, book: [] };
  let hasOwnMove = false;
  for (const san of sans) {
    const move = play(fen, san);
    if (!move) break;
    const isOwn = turnOf(fen) === own;
    const { all, played } = await lookUp(fen);
    const known = isOwn ? played : all;
    const stays = known.includes(move.uci) || (!isOwn && (await lookUp(move.fen)).played.length > 0);
    if (!stays) {
      const goesOn = known.length > 0 || (!isOwn && (await hasReply(fen, lookUp)));
      const departure = departureOf(hasOwnMove, goesOn, isOwn);
      const named = departure === 'other-opening' ? played : known;
      const book = named.map((uci) => play(fen, uci)?.san ?? uci);
      return { departure, start, line, fen, played: move.san, book };
    }
    hasOwnMove ||= isOwn;
    line.push(move.uci);
    fen = move.fen;
  }
  return { departure: 'completed', start, line, fen, played: null, book: [] };
}

function departureOf(hasOwnMove: boolean, goesOn: boolean, isOwn: boolean): Departure {
  if (!hasOwnMove) return 'other-opening';
  if (!goesOn) return 'book-ended';
  return isOwn ? 'player-left' : 'opponent-left';
}

/** Whether a move of the opponent leads to a position in which the book plays. */
async function hasReply(fen: string, lookUp: LookUp): Promise<boolean> {
  const after = legalMoves(fen).map((uci) => play(fen, uci)?.fen ?? fen);
  const replies = await Promise.all(after.map(lookUp));
  return replies.some(({ played }) => played.length > 0);
}

/** The player's points of a result; null if there is none. */
function pointsOf(result: string, own: Color): number | null {
  const white = { '1-0': 1, '1/2-1/2': 0.5, '0-1': 0 }[result];
  return white === undefined ? null : own === 'white' ? white : 1 - white;
}

function add(places: Map<string, ExitPlace>, own: Color, found: Exit, points: number | null): void {
  // Where the book ended, it is no matter by which move.
  const exit = found.departure === 'book-ended' ? { ...found, played: null } : found;
  const key = [own, exit.departure, positionIn(exit.fen), exit.played].join('\n');
  const place = places.get(key) ?? { ...exit, games: 0, decided: 0, points: 0 };
  if (compareLines(exit, place) < 0) place.line = exit.line;
  place.games += 1;
  place.decided += points === null ? 0 : 1;
  place.points += points ?? 0;
  places.set(key, place);
}

/** A FEN without its clocks, which do not make another position. */
export function positionIn(fen: string): string {
  return fen.split(' ').slice(0, 4).join(' ');
}

/** Shorter lines first, then by their moves, so that the order of games does not matter. */
function compareLines(one: Exit, other: Exit): number {
  return one.line.length - other.line.length || (lineOf(one) < lineOf(other) ? -1 : 1);
}

function lineOf({ line, played }: Exit): string {
  return [...line, played ?? ''].join(' ');
}
