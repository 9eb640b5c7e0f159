/** Two books side by side: where their moves differ most. */

import type { ComparedMove, ComparedSide, Comparison } from '../api/answers';
import { ask } from '../api/client';
import { type Loaded, Loader } from '../api/loader';
import { type App, query } from '../app';
import { type Child, fill, h } from '../dom';
import { percent, score, signed, whole } from '../format';
import { type State, bookOf, compared, current } from '../state';
import { otherSelect } from './other';
import type { Panel } from './panels';
import { problem } from './problem';

export class ComparePanel implements Panel {
  readonly element = h('div', { class: 'compare' });
  private readonly chooser = h('div', { class: 'form' });
  private readonly result = h('div');
  private readonly loader = new Loader<Comparison>((loaded) => this.fill(loaded));

  constructor(
    private readonly app: App,
    private readonly point: (uci: string | null) => void,
  ) {
    this.element.append(this.chooser, this.result);
  }

  show(state: State): void {
    const [ours, theirs] = [current(state), compared(state)];
    if (!ours || !theirs) {
      this.loader.forget();
      fill(this.chooser);
      return fill(
        this.result,
        h(
          'p',
          { class: 'faint' },
          'Serve a second book or table to compare with, say your own games beside those of masters:',
        ),
        h('pre', {}, 'tabia serve mine.tabia masters.tabia'),
      );
    }
    fill(this.chooser, otherSelect(this.app, state, 'compare-with', 'Compare with'));
    const asked = { ...query(state), other: theirs.name };
    const key = JSON.stringify([ours.name, asked]);
    this.loader.load(key, (signal) => ask(bookOf(state), 'tabia/compare', asked, signal));
  }

  private fill({ answer, error, loading }: Loaded<Comparison>): void {
    this.result.classList.toggle('loading', loading);
    if (error) return fill(this.result, problem(this.app, error));
    if (answer) fill(this.result, this.content(answer));
  }

  private content({ ours, theirs, found, moves }: Comparison): Child {
    const missing = [!found.ours && ours, !found.theirs && theirs].filter((name) => name !== false);
    if (moves.length === 0) return h('p', { class: 'empty' }, 'Neither has a move here.');
    const widest = Math.max(...moves.map((move) => Math.abs(move.difference)), 0.01);
    return [
      missing.length > 0 && h('p', { class: 'note' }, `The position is not in ${missing.join(' and ')}.`),
      h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Moves of both' },
        h(
          'table',
          {},
          h('caption', { class: 'unseen' }, `Moves of ${ours} and ${theirs}, the greatest difference first`),
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              h('th', { scope: 'col', class: 'move' }, 'Move'),
              h('th', { scope: 'col' }, ours),
              h('th', { scope: 'col' }, 'score'),
              h('th', { scope: 'col' }, theirs),
              h('th', { scope: 'col' }, 'score'),
              h('th', { scope: 'col', class: 'difference' }, 'More often in'),
            ),
          ),
          h(
            'tbody',
            {},
            moves.map((move) => this.row(move, widest, ours, theirs)),
          ),
        ),
      ),
    ];
  }

  private row(move: ComparedMove, widest: number, ours: string, theirs: string): HTMLElement {
    const { uci, san, difference } = move;
    const play = {
      type: 'button',
      class: 'play',
      'data-key': `compare-${uci}`,
      on: { click: () => this.app.play(uci) },
    };
    const where = difference >= 0 ? ours : theirs;
    const label = `${signed(100 * difference, 1)} points: more often in ${where}`;
    return h(
      'tr',
      { on: { mouseenter: () => this.point(uci), mouseleave: () => this.point(null) } },
      h('th', { scope: 'row', class: 'move' }, h('button', play, san)),
      side(move.ours),
      side(move.theirs),
      h(
        'td',
        { class: 'difference' },
        h(
          'div',
          {
            class: `diverging ${difference >= 0 ? 'ours' : 'theirs'}`,
            role: 'img',
            'aria-label': label,
            title: label,
          },
          h('span', { vars: { '--share': `${(50 * Math.abs(difference)) / widest}%` } }),
        ),
      ),
    );
  }
}

/** Two cells of a side: the share, and the score. */
function side(one: ComparedSide | null): HTMLElement[] {
  if (!one) return [h('td', { class: 'faint' }, '–'), h('td')];
  const games = one.games === null ? undefined : `${whole(one.games)} games`;
  return [
    h('td', { title: games }, percent(one.share)),
    h('td', { class: 'faint', title: games }, one.score === null ? '–' : score(one.score)),
  ];
}
