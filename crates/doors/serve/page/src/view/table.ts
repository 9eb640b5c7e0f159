/** The moves of the position: a table to sort, to play from, and to edit in. */

import type { Probe, ProbedMove } from '../api/answers';
import { ask } from '../api/client';
import { Loader, type Loaded } from '../api/loader';
import { type App, query } from '../app';
import { wayBack } from './back';
import { type Child, fill, h } from '../dom';
import { signed, whole } from '../format';
import { ending, turnOf } from '../game/rules';
import { type Place, numberOf } from '../game/tree';
import { bookOf, current } from '../state';
import { outcomesBar } from './bar';
import { type Column, columnsFor, settings, valueOf } from './columns';
import { editMove } from './edit';
import { icon } from './icons';
import { problem } from './problem';

/** More moves than this are cut to the first rows until all are asked for. */
const ROWS_CUT = 13;
const ROWS = 11;

interface Sorting {
  column: string;
  ascending: boolean;
}

/** What the table needs of others. */
export interface TableLinks {
  point(uci: string | null): void;
  /** Called with every answer. */
  answered(probe: Probe): void;
}

export class MovesTable {
  readonly element: HTMLElement;
  private sorting: Sorting | null = null;
  /** Whether rows past the first ones are shown. */
  private isWhole = false;
  private loaded: Loaded<Probe> = { answer: null, error: null, loading: true };
  private readonly loader = new Loader<Probe>((loaded) => {
    this.loaded = loaded;
    if (loaded.answer && !loaded.loading) this.links.answered(loaded.answer);
    this.show();
  });

  constructor(
    private readonly app: App,
    private readonly links: TableLinks,
  ) {
    this.element = h('section', { class: 'moves card', 'aria-label': 'Moves of this position' });
    app.store.follow((state) => {
      const [book, asked] = [bookOf(state), query(state)];
      const key = JSON.stringify([book, asked, state.edits]);
      this.loader.load(key, (signal) => ask<Probe>(book, 'tabia/probe', asked, signal));
    });
  }

  /** Plays the move of a row, the first one is 0. */
  playNth(index: number): void {
    const { answer, loading } = this.loaded;
    if (!answer || loading) return;
    const move = this.sorted(answer, columnsFor(answer, turnOf(answer.fen)))[index];
    if (move) this.app.play(move.uci);
  }

  private show(): void {
    const { answer, error, loading } = this.loaded;
    this.element.setAttribute('aria-busy', String(loading));
    this.element.classList.toggle('loading', loading);
    if (error) return fill(this.element, problem(this.app, error));
    if (!answer) return;
    fill(this.element, this.content(answer));
    // Tests measure how long the first view takes.
    if (performance.getEntriesByName('moves-shown').length === 0) performance.mark('moves-shown');
  }

  private content(probe: Probe): Child {
    const { place } = this.app.store.get();
    if (probe.moves.length === 0)
      return [
        h('div', { class: 'empty' }, h('p', {}, nothing(probe, place)), !probe.found && wayBack(this.app)),
        beyond(probe),
        ignored(probe),
      ];
    const side = turnOf(probe.fen);
    const columns = columnsFor(probe, side);
    const isEditable = current(this.app.store.get())?.editable ?? false;
    const isCut = !this.isWhole && probe.moves.length > ROWS_CUT;
    const shown = this.sorted(probe, columns).slice(0, isCut ? ROWS : undefined);
    return [
      h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of moves' },
        h(
          'table',
          {},
          h('caption', { class: 'unseen' }, 'Moves of this position'),
          h('thead', {}, this.head(columns, isEditable)),
          h(
            'tbody',
            {},
            shown.map((move) => this.row(move, probe, columns, isEditable)),
          ),
          probe.tally && h('tfoot', {}, total(probe, columns, isEditable)),
        ),
      ),
      isCut && this.more(probe.moves.length),
      beyond(probe),
      ignored(probe),
    ];
  }

  private more(count: number): HTMLElement {
    const click = (): void => {
      this.isWhole = true;
      this.show();
    };
    return h('button', { type: 'button', class: 'link more', on: { click } }, `Show all ${count} moves`);
  }

  private head(columns: Column[], isEditable: boolean): HTMLElement {
    const cells = columns.map(({ id, label, title }) => {
      const isSorted = this.sorting?.column === id;
      const order = this.sorting?.ascending ? 'ascending' : 'descending';
      const sort = h(
        'button',
        { type: 'button', title, 'data-key': `sort-${id}`, on: { click: () => this.sort(id) } },
        label,
        isSorted &&
          h('span', { class: 'order', 'aria-hidden': 'true' }, this.sorting?.ascending ? ' ▲' : ' ▼'),
      );
      return h('th', { scope: 'col', class: id, 'aria-sort': isSorted ? order : undefined }, sort);
    });
    const edit =
      isEditable && h('th', { scope: 'col', class: 'edit' }, h('span', { class: 'unseen' }, 'Edit'));
    return h('tr', {}, h('th', { scope: 'col', class: 'move' }, 'Move'), cells, edit);
  }

  private row(move: ProbedMove, probe: Probe, columns: Column[], isEditable: boolean): HTMLElement {
    const { point } = this.links;
    const name = move.san ?? move.uci;
    const label = move.opening ? `${name}: ${move.opening.eco} ${move.opening.name}` : name;
    const play = h(
      'button',
      {
        type: 'button',
        class: 'play',
        title: label,
        disabled: move.san === null,
        'data-key': `play-${move.uci}`,
        // While the next answer is on its way, the rows are those of the position before.
        on: { click: () => this.loaded.loading || this.app.play(move.uci) },
      },
      name,
      move.known?.mark && h('span', { class: 'glyph' }, move.known.mark),
    );
    const edit = h(
      'button',
      {
        type: 'button',
        class: 'plain',
        'aria-label': `Edit ${name}`,
        title: `Edit ${name}`,
        'data-key': `edit-${move.uci}`,
        on: { click: () => this.edit(move, name) },
      },
      icon('edit'),
    );
    return h(
      'tr',
      {
        class: move.known?.playable === false ? 'unplayable' : undefined,
        on: {
          mouseenter: () => point(move.uci),
          mouseleave: () => point(null),
          focusin: () => point(move.uci),
          focusout: () => point(null),
        },
      },
      h('th', { scope: 'row', class: 'move' }, play),
      columns.map((column) => h('td', { class: column.id }, column.cell(move, probe))),
      isEditable && h('td', { class: 'edit' }, edit),
    );
  }

  private edit({ uci, known }: ProbedMove, name: string): void {
    editMove(this.app, { place: this.app.store.get().place, uci, name, known });
  }

  /** As the server sorts them, or by a column. */
  private sorted(probe: Probe, columns: Column[]): ProbedMove[] {
    const { sorting } = this;
    const column = columns.find(({ id }) => id === sorting?.column);
    if (!column || !sorting) return probe.moves;
    const direction = sorting.ascending ? 1 : -1;
    const compare = (a: number | null, b: number | null): number => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return direction * (a - b);
    };
    return [...probe.moves].sort((a, b) => compare(column.value(a), column.value(b)));
  }

  /** The first click sorts down, the second up, the third as the server does. */
  private sort(column: string): void {
    if (this.sorting?.column !== column) this.sorting = { column, ascending: false };
    else this.sorting = this.sorting.ascending ? null : { column, ascending: true };
    this.show();
  }
}

function total(probe: Probe, columns: Column[], isEditable: boolean): HTMLElement {
  const { tally } = probe;
  const all: ProbedMove = { san: 'Σ', uci: '', score: null, opening: null, ...tally };
  const cells = columns.map((column) => {
    if (!tally || !['games', 'outcomes', 'score'].includes(column.id)) return h('td', { class: column.id });
    return h(
      'td',
      { class: column.id },
      column.id === 'outcomes' ? outcomesBar(tally) : column.cell(all, probe),
    );
  });
  const title = 'All games of this position, those that ended here too';
  return h('tr', {}, h('th', { scope: 'row', class: 'move', title }, 'All'), cells, isEditable && h('td'));
}

function nothing(probe: Probe, place: Place): string {
  const ended = ending(probe.fen);
  if (ended) return `${ended}.`;
  if (probe.tally) return `${whole(probe.tally.games)} games reach this position; no move of it is kept.`;
  if (!place.parent) return `This position is not in ${probe.source}.`;
  return `After ${numberOf(place)} ${place.san} the position is not in ${probe.source}.`;
}

/** What is known of moves that are not of the book. */
function beyond(probe: Probe): Child {
  if (!probe.beyond?.length) return null;
  const items = probe.beyond.map((known) =>
    h(
      'li',
      {},
      h('b', {}, known.mv ?? 'The position'),
      known.learn !== undefined && ` learned ${signed(known.learn)}`,
      valueOf(known) &&
        ` ${known.kind === 'minimax' ? 'worth' : 'evaluated'} ${valueOf(known)}${known.depth ? ` at depth ${known.depth}` : ''}`,
      known.own && ` own games ${known.own.wins}–${known.own.draws}–${known.own.losses}`,
      ' ',
      settings(known),
    ),
  );
  return h('div', { class: 'beyond' }, h('h3', {}, 'Known beyond these moves'), h('ul', {}, items));
}

function ignored(probe: Probe): Child {
  if (probe.ignored.length === 0) return null;
  return h(
    'p',
    { class: 'faint note' },
    `Not counted by ${probe.ignored.join(', ')}: that filter changes nothing here.`,
  );
}
