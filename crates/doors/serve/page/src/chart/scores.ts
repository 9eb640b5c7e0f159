/** White's score with its 95 % interval, by month or by rating band. */

import type { Outcomes } from '../api/answers';
import { s } from '../dom';
import { score, whole } from '../format';
import { gamesOf, marginOf, scoreOf } from '../score';
import { across, below, chart, plotArea, spread } from './frame';
import { GAMES_MIN, linear, pathOf, ticks } from './scale';

export interface Group extends Outcomes {
  label: string;
}

interface Point {
  index: number;
  mean: number;
  low: number;
  high: number;
}

/** Null where fewer than two groups have games. `isLine`: whether the points follow each other in time. */
export function scoresChart(
  title: string,
  what: string,
  groups: readonly Group[],
  isLine: boolean,
): HTMLElement | null {
  const points = groups.flatMap((group, index): Point[] => {
    const mean = scoreOf(group, 'white');
    if (mean === null || gamesOf(group) < GAMES_MIN) return [];
    const margin = marginOf(group);
    return [{ index, mean, low: Math.max(0, mean - margin), high: Math.min(1, mean + margin) }];
  });
  if (points.length < 2) return null;
  const low = Math.min(0.45, ...points.map((point) => point.low));
  const high = Math.max(0.55, ...points.map((point) => point.high));
  const plot = plotArea();
  const x = linear([0, groups.length - 1], [plot.left + 24, plot.right - 24]);
  const y = linear([low, high], [plot.bottom, plot.top]);
  const byIndex = new Map(points.map((point) => [point.index, point]));
  const line = groups.map((_, index) => {
    const point = byIndex.get(index);
    return point ? ([x(index), y(point.mean)] as const) : null;
  });
  return chart(
    {
      title,
      summary: `${points.length} points from ${groups[0]?.label} to ${groups.at(-1)?.label}.`,
      head: [what, 'Games', 'White’s score'],
      rows: groups.map((group, index) => {
        const point = byIndex.get(index);
        const text = point ? `${score(point.mean)} ±${score(marginOf(group))}` : '–';
        return [group.label, whole(gamesOf(group)), text];
      }),
    },
    plot,
    across(plot, ticks(low, high, 4), y, (value) => `${Math.round(100 * value)} %`),
    s('line', { class: 'middle', x1: plot.left, x2: plot.right, y1: y(0.5), y2: y(0.5) }),
    below(
      spread(
        groups.map(({ label }) => label),
        plot,
      ).map(([index, label]) => [x(index), label]),
    ),
    isLine && s('path', { class: 'score-line', d: pathOf(line) }),
    points.map((point) => mark(point, groups[point.index], x(point.index), y)),
  );
}

/** A point with its interval: blue where White scores above one half, orange below. */
function mark(
  { mean, low, high }: Point,
  group: Group | undefined,
  x: number,
  y: (value: number) => number,
): SVGElement {
  const title = group ? `${group.label}: ${score(mean)} %, ${whole(gamesOf(group))} games` : '';
  return s(
    'g',
    { class: `score-mark ${mean >= 0.5 ? 'above' : 'under'}` },
    s('line', { x1: x, x2: x, y1: y(low), y2: y(high) }),
    s('circle', { cx: x, cy: y(mean), r: 4 }),
    s('title', {}, title),
  );
}
