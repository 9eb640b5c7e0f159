/** The opponent's moves that lead out of the book. */

import type { Hole, Holes } from '../api/answers';
import { ask } from '../api/client';
import { type Loaded, Loader } from '../api/loader';
import { type App, positionQuery, query } from '../app';
import { type Child, fill, h } from '../dom';
import { games, percent, short } from '../format';
import type { Color } from '../game/rules';
import { type Place, follow } from '../game/tree';
import { type State, bookOf } from '../state';
import { otherSelect } from './other';
import type { Panel } from './panels';
import { problem } from './problem';

/** Least shares of a move to be listed. */
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2];

export class HolesPanel implements Panel {
  readonly element = h('div', { class: 'holes' });
  private readonly form = h('div', { class: 'form' });
  private readonly result = h('div');
  private readonly loader = new Loader<Holes>((loaded) => this.fill(loaded));
  private color: Color | null = null;
  private share = 0.05;

  constructor(private readonly app: App) {
    this.element.append(this.form, this.result);
  }

  show(state: State): void {
    const book = bookOf(state);
    const color = this.color ?? state.orientation;
    fill(this.form, this.fields(state, color));
    const { speeds, ratings, since, until } = query(state);
    const filters = { speeds, ratings, since, until };
    const asked = {
      ...positionQuery(state.place),
      ...filters,
      color,
      min_share: this.share,
      against: state.other,
    };
    this.loader.load(JSON.stringify([book, asked]), (signal) => ask(book, 'tabia/holes', asked, signal));
  }

  private fields(state: State, color: Color): Child {
    const again = (): void => this.show(this.app.store.get());
    const colors = h(
      'select',
      {
        'data-key': 'holes-color',
        on: {
          change: () => {
            this.color = colors.value === 'black' ? 'black' : 'white';
            again();
          },
        },
      },
      h('option', { value: 'white', selected: color === 'white' }, 'White'),
      h('option', { value: 'black', selected: color === 'black' }, 'Black'),
    );
    const shares = h(
      'select',
      {
        'data-key': 'holes-share',
        on: {
          change: () => {
            this.share = Number(shares.value);
            again();
          },
        },
      },
      SHARES.map((share) =>
        h('option', { value: share, selected: share === this.share }, `${100 * share} %`),
      ),
    );
    return [
      h('label', {}, 'My side ', colors),
      h('label', {}, 'Moves of at least ', shares),
      state.artefacts.length > 1 &&
        otherSelect(this.app, state, 'holes-against', 'Opponents of', 'this book'),
    ];
  }

  private fill({ answer, error, loading }: Loaded<Holes>): void {
    this.result.classList.toggle('loading', loading);
    if (error) return fill(this.result, problem(this.app, error));
    if (!answer) return fill(this.result, h('p', { class: 'faint' }, 'Looking for holes…'));
    fill(this.result, this.content(answer));
  }

  private content({ holes, complete, positions, ours, against, checked, color }: Holes): Child {
    const { place, artefacts } = this.app.store.get();
    if (!checked) return h('p', { class: 'empty' }, notChecked(against, color, artefacts.length > 1));
    const looked = `${short(positions)} positions looked at${complete ? '' : '; there are more'}.`;
    if (holes.length === 0) {
      return h(
        'p',
        { class: 'empty' },
        `No move of “${against}” from here leads out of “${ours}”. ${looked}`,
      );
    }
    return [
      h(
        'p',
        { class: 'faint' },
        `Moves of “${against}” that “${ours}” does not answer, the likeliest first. ${looked}`,
      ),
      h(
        'ol',
        { class: 'hole-list' },
        holes.map((hole) => this.row(hole, place)),
      ),
    ];
  }

  private row(hole: Hole, from: Place): HTMLElement {
    const go = (): void => this.app.go(follow(from, hole.play.split(',')));
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'link', 'data-key': `hole-${hole.play}`, on: { click: go } },
        hole.line,
      ),
      h(
        'span',
        {
          class: 'share',
          title: 'The chance that the opponent goes all the way; the share of the last move',
        },
        `${percent(hole.reach)} in all, ${percent(hole.share)} there (${games(hole.games)})`,
      ),
    );
  }
}

/** Why holes could not be looked for, and what to do. */
function notChecked(against: string, color: Color, hasOthers: boolean): string {
  const opponent = color === 'white' ? 'Black' : 'White';
  const instead = hasOthers
    ? 'choose a book or a table of games that has some at “Opponents of”.'
    : 'serve a table of games beside it: tabia serve BOOK TABLE.';
  return `Not checked: “${against}” has no moves of ${opponent}. To see which of them it does not answer, ${instead}`;
}
