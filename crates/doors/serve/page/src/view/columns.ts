/** The columns of the table of moves: what each shows, by what it sorts, and where there is nothing to show. */

import type { Known, Outcomes, Probe, ProbedMove } from '../api/answers';
import { type Child, h } from '../dom';
import { percent, score, short, signed, whole } from '../format';
import type { Color } from '../game/rules';
import { marginOf, scoreOf } from '../score';
import { outcomesBar } from './bar';

export interface Column {
  id: string;
  label: string;
  title: string;
  /** What rows are sorted by, the greatest first; null is last. */
  value(move: ProbedMove): number | null;
  cell(move: ProbedMove, probe: Probe): Child;
  /** Whether some move has something to show. */
  isUsed(probe: Probe): boolean;
}

/** The columns that a position needs. */
export function columnsFor(probe: Probe, side: Color): Column[] {
  const all = [
    games,
    weight,
    outcomes,
    scored(side),
    evaluation,
    minimax,
    elo,
    performance,
    learned,
    own,
    set,
  ];
  return all.filter((column) => column.isUsed(probe));
}

/** The results of a move; null in Polyglot books. */
export function outcomesOf(move: ProbedMove): Outcomes | null {
  const { white, draws, black } = move;
  return white === undefined || draws === undefined || black === undefined ? null : { white, draws, black };
}

const games: Column = {
  id: 'games',
  label: 'Games',
  title: 'Games that played the move, and its share of the games in this position',
  value: (move) => move.games ?? null,
  cell: ({ games: count = 0 }, probe) => [
    h('span', { class: 'number', title: whole(count) }, short(count)),
    h('span', { class: 'share' }, percent(count / Math.max(1, probe.tally?.games ?? 0))),
  ],
  isUsed: (probe) => probe.tally !== null,
};

const weight: Column = {
  id: 'weight',
  label: 'Weight',
  title: 'The weight in the Polyglot book, and its share of all weights here',
  value: (move) => move.weight ?? null,
  cell: (move, probe) => {
    const all = probe.moves.reduce((sum, other) => sum + (other.weight ?? 0), 0);
    const own = move.weight ?? 0;
    return [
      h('span', { class: 'number' }, whole(own)),
      h('span', { class: 'share' }, all > 0 ? percent(own / all) : '–'),
    ];
  },
  isUsed: (probe) => probe.moves.some((move) => move.weight !== undefined),
};

const outcomes: Column = {
  id: 'outcomes',
  label: 'White / draw / Black',
  title: 'Games that White won, that were drawn, and that Black won; sorted by White’s score',
  value: (move) => scoreOf(outcomesOf(move) ?? NO_GAMES, 'white'),
  cell: (move) => outcomesBar(outcomesOf(move) ?? NO_GAMES),
  isUsed: games.isUsed,
};

function scored(side: Color): Column {
  const name = side === 'white' ? 'White' : 'Black';
  return {
    id: 'score',
    label: 'Score',
    title: `${name}’s score in percent, wins and half of the draws, with its 95 % interval`,
    value: (move) => scoreOf(outcomesOf(move) ?? NO_GAMES, side),
    cell: (move) => {
      const results = outcomesOf(move) ?? NO_GAMES;
      const mean = scoreOf(results, side);
      if (mean === null) return '–';
      return [score(mean), h('span', { class: 'margin' }, ` ±${score(marginOf(results))}`)];
    },
    isUsed: games.isUsed,
  };
}

const evaluation = evaluated(
  'evaluation',
  'Eval',
  'What an engine said of the move, in pawns for the mover; #3: mate in three moves',
);
const minimax = evaluated(
  'minimax',
  'Minimax',
  'What the move is worth if both sides choose their best by the evaluations of later positions, in pawns for the mover',
);

function evaluated(id: 'evaluation' | 'minimax', label: string, title: string): Column {
  return {
    id,
    label,
    title,
    value: (move) => rankOf(move[id]),
    cell: (move) => valueOf(move[id]),
    isUsed: (probe) => probe.moves.some((move) => move[id] !== undefined),
  };
}

/** A number that is greater the better a value is: a mate is beyond all pawns. */
function rankOf(known: Known | undefined): number | null {
  if (known?.mate === undefined) return known?.eval ?? null;
  return known.mate > 0 ? MATE - known.mate : -MATE - known.mate;
}

/** A value in pawns, or the moves to mate. */
export function valueOf(known: Known | undefined): string | null {
  if (known?.mate !== undefined) return `#${String(known.mate).replace('-', '−')}`;
  return known?.eval === undefined ? null : signed(known.eval);
}

const elo: Column = {
  id: 'elo',
  label: 'Elo',
  title: 'The mean rating of those who played the move',
  value: (move) => move.average_elo ?? null,
  cell: (move) => rounded(move.average_elo),
  isUsed: (probe) => probe.moves.some((move) => move.average_elo !== undefined),
};

const performance: Column = {
  id: 'performance',
  label: 'Perf.',
  title: 'The performance rating of those who played the move',
  value: (move) => move.performance ?? null,
  cell: (move) => rounded(move.performance),
  isUsed: (probe) => probe.moves.some((move) => move.performance !== undefined),
};

const learned: Column = {
  id: 'learned',
  label: 'Learned',
  title: 'The learned value in pawns, from the mover’s view',
  value: (move) => move.known?.learn ?? null,
  cell: ({ known }) => {
    if (known?.learn === undefined) return null;
    const isGood = known.learn >= SHOWN_MIN;
    const kind = known.playable ? (isGood ? 'good' : undefined) : 'bad';
    return h('span', { class: kind }, signed(known.learn));
  },
  isUsed: (probe) => probe.moves.some((move) => move.known?.learn !== undefined),
};

const own: Column = {
  id: 'own',
  label: 'Own games',
  title: 'The engine’s own games with the move: won, drawn, lost',
  value: ({ known }) => (known?.own ? known.own.wins + known.own.draws + known.own.losses : null),
  cell: ({ known }) => known?.own && `${known.own.wins}–${known.own.draws}–${known.own.losses}`,
  isUsed: (probe) => probe.moves.some((move) => move.known?.own !== undefined),
};

const set: Column = {
  id: 'set',
  label: 'Set',
  title: 'What was set by hand: a mark or a value of 0 to 100, and a priority of 0 (never) to 5',
  value: ({ known }) => known?.user_value ?? known?.priority ?? null,
  cell: ({ known }) => known && settings(known),
  isUsed: (probe) => probe.moves.some((move) => move.known && settings(move.known).length > 0),
};

/** What was set of a move by hand, a badge each. */
export function settings({ mark, user_value, priority }: Known): HTMLElement[] {
  const badges: [string, string][] = [];
  if (mark) badges.push([mark, 'mark']);
  else if (user_value !== undefined) badges.push([String(user_value), 'value']);
  if (priority === 0) badges.push(['never', 'never']);
  else if (priority !== undefined) badges.push([`p${priority}`, 'priority']);
  return badges.map(([text, kind]) => h('span', { class: `badge ${kind}` }, text));
}

/** Beyond all values in pawns. */
const MATE = 1e6;
/** The least value that is shown as more than zero. */
const SHOWN_MIN = 0.005;
const NO_GAMES: Outcomes = { white: 0, draws: 0, black: 0 };

function rounded(number: number | undefined): string | null {
  return number === undefined ? null : String(Math.round(number));
}
