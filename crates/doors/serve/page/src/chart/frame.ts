/** The frame of a chart: a title, a legend, a scale to the left, labels below, and its numbers as a table. */

import { type Child, h, s } from '../dom';
import type { Scale } from './scale';

const HEIGHT = 190;
/** How wide a label below the picture is. */
const LABEL_WIDTH = 74;
/** How far points are from each other at least. */
const POINT_WIDTH = 9;

/** Where data is drawn; the picture is as wide as the screen allows, so that its letters are of one size. */
export interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export function plotArea(): Plot {
  const width = Math.min(600, Math.max(300, window.innerWidth - 56));
  return { left: 46, right: width - 10, top: 10, bottom: HEIGHT - 26 };
}

/** How many points beside each other can be told apart. */
export function pointsMax(plot: Plot): number {
  return Math.floor((plot.right - plot.left) / POINT_WIDTH);
}

export interface Legend {
  label: string;
  colour: number;
}

export interface ChartText {
  title: string;
  /** What the picture shows, in a sentence, for those who hear it. */
  summary: string;
  legend?: readonly Legend[];
  /** The numbers: a head and rows. */
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

export function chart(text: ChartText, plot: Plot, ...marks: Child[]): HTMLElement {
  const picture = s(
    'svg',
    {
      viewBox: `0 0 ${plot.right + 10} ${HEIGHT}`,
      role: 'img',
      'aria-label': `${text.title}. ${text.summary}`,
    },
    ...marks,
  );
  const legend = text.legend?.map(({ label, colour }) =>
    h('li', {}, h('span', { class: `swatch colour-${colour}` }), label),
  );
  return h(
    'figure',
    { class: 'chart' },
    h('figcaption', {}, text.title),
    picture,
    legend && h('ul', { class: 'legend' }, legend),
    numbers(text),
  );
}

/** Lines across at values of the scale, with their labels. */
export function across(
  plot: Plot,
  values: readonly number[],
  y: Scale,
  label: (value: number) => string,
): SVGElement[] {
  return values.flatMap((value) => [
    s('line', { class: 'grid', x1: plot.left, x2: plot.right, y1: y(value), y2: y(value) }),
    s('text', { class: 'tick', x: plot.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, label(value)),
  ]);
}

/** Labels below the picture. */
export function below(labels: readonly (readonly [x: number, label: string])[]): SVGElement[] {
  return labels.map(([x, label]) =>
    s('text', { class: 'tick', x, y: HEIGHT - 8, 'text-anchor': 'middle' }, label),
  );
}

/** As many of the labels as there is room for, evenly. */
export function spread(labels: readonly string[], plot: Plot): [index: number, label: string][] {
  const count = Math.floor((plot.right - plot.left) / LABEL_WIDTH);
  const step = Math.max(1, Math.ceil(labels.length / count));
  return labels.flatMap((label, index): [number, string][] => (index % step === 0 ? [[index, label]] : []));
}

function numbers({ title, head, rows }: ChartText): HTMLElement {
  return h(
    'details',
    { class: 'numbers' },
    h('summary', {}, 'Numbers'),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `${title}: numbers` },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            head.map((name) => h('th', { scope: 'col' }, name)),
          ),
        ),
        h(
          'tbody',
          {},
          rows.map(([first, ...rest]) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, first),
              rest.map((cell) => h('td', {}, cell)),
            ),
          ),
        ),
      ),
    ),
  );
}
