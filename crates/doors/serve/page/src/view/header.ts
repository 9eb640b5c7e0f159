/** The head of the page: whose book is shown, and help. */

import type { Artefact } from '../api/answers';
import type { App } from '../app';
import { fill, h, s } from '../dom';
import { short } from '../format';
import { current } from '../state';
import { showHelp } from './help';
import { icon } from './icons';
import { themeSwitch } from './theme';

const KINDS = { book: 'book', table: 'table', polyglot: 'Polyglot book' } as const;

export function header(app: App): HTMLElement {
  const chosen = h('div', { class: 'book' });
  const missing = h('p', { class: 'problem missing', role: 'alert' });
  app.store.follow((state, before) => {
    if (state !== before && state.book === before.book && state.artefacts === before.artefacts) return;
    const artefact = current(state);
    fill(chosen, bookSelect(app, artefact, state.artefacts), artefact && size(artefact));
    const isMissing = state.book !== null && artefact?.name !== state.book;
    fill(missing, isMissing && `No book here is called “${state.book}”. This is ${artefact?.name}.`);
  });
  const help = h(
    'button',
    { type: 'button', class: 'plain', 'aria-label': 'Help', title: 'Help (?)', on: { click: showHelp } },
    icon('help'),
  );
  return h(
    'header',
    { class: 'page-head' },
    h('h1', {}, mark(), 'Tabia'),
    chosen,
    themeSwitch(),
    help,
    missing,
  );
}

function bookSelect(app: App, artefact: Artefact | undefined, artefacts: readonly Artefact[]): HTMLElement {
  const select = h(
    'select',
    { id: 'book', 'data-key': 'book', 'aria-label': 'Book', on: { change: () => app.choose(select.value) } },
    artefacts.map(({ name }) => h('option', { value: name, selected: name === artefact?.name }, name)),
  );
  return select;
}

function size({ kind, games, positions }: Artefact): HTMLElement {
  const parts = [
    KINDS[kind],
    games === null ? null : `${short(games)} games`,
    positions === null ? null : `${short(positions)} positions`,
  ];
  return h('span', { class: 'faint size' }, parts.filter((part) => part !== null).join(' · '));
}

function mark(): SVGElement {
  return s(
    'svg',
    { class: 'mark', viewBox: '0 0 32 32', 'aria-hidden': 'true' },
    s('rect', { width: 32, height: 32, rx: 7, class: 'mark-ground' }),
    s('path', { d: 'M7 8h8v8H7zM17 16h8v8h-8z', class: 'mark-light' }),
    s('path', { d: 'M17 8h8v8h-8zM7 16h8v8H7z', class: 'mark-dark' }),
  );
}
