/** How often each of the most played moves was chosen, over time. */

import type { Month, ProbedMove } from '../api/answers';
import { s } from '../dom';
import { capital, percent } from '../format';
import { gamesOf } from '../score';
import { across, below, chart, plotArea, spread } from './frame';
import type { Periods } from './months';
import { GAMES_MIN, linear, pathOf, ticks } from './scale';

const MOVES_MAX = 6;

/** Null where fewer than two periods have games enough. */
export function popularityChart(
  periods: Periods,
  history: readonly Month[],
  moves: readonly ProbedMove[],
): HTMLElement | null {
  const totals = periods.sum(history).map(gamesOf);
  if (totals.filter((total) => total >= GAMES_MIN).length < 2) return null;
  const shares = moves.slice(0, MOVES_MAX).map((move) => ({
    name: move.san ?? move.uci,
    shares: periods.sum(move.history ?? []).map((sum, index) => share(gamesOf(sum), totals[index] ?? 0)),
  }));
  const top = Math.max(0.01, ...shares.flatMap((move) => move.shares.map((one) => one ?? 0)));
  const plot = plotArea();
  const x = linear([0, totals.length - 1], [plot.left + 8, plot.right - 8]);
  const y = linear([0, top], [plot.bottom, plot.top]);
  const lines = shares.map(({ name, shares: values }, colour) => {
    const points = values.map((value, index) => (value === null ? null : ([x(index), y(value)] as const)));
    const dots = points.flatMap((point, index) =>
      point
        ? [
            s(
              'circle',
              { cx: point[0], cy: point[1], r: 3 },
              s('title', {}, `${name}, ${periods.labels[index]}: ${percent(values[index] ?? 0)}`),
            ),
          ]
        : [],
    );
    return s(
      'g',
      { class: `series colour-${colour}` },
      s('path', { d: pathOf(points) }),
      ...(totals.length > 40 ? [] : dots),
    );
  });
  return chart(
    {
      title: `How often each move was played, by ${periods.unit}`,
      summary: `${shares.map(({ name }) => name).join(', ')} from ${periods.labels[0]} to ${periods.labels.at(-1)}.`,
      legend: shares.map(({ name }, colour) => ({ label: name, colour })),
      head: [capital(periods.unit), 'Games', ...shares.map(({ name }) => name)],
      rows: periods.labels.map((label, index) => [
        label,
        String(totals[index]),
        ...shares.map(({ shares: values }) => shown(values[index])),
      ]),
    },
    plot,
    across(plot, ticks(0, top, 4), y, percent),
    below(spread(periods.labels, plot).map(([index, label]) => [x(index), label])),
    lines,
  );
}

function share(games: number, all: number): number | null {
  return all >= GAMES_MIN ? games / all : null;
}

function shown(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : percent(value);
}
