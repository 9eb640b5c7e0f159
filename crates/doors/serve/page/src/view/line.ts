/** The list of moves, with its branches. */

import type { App } from '../app';
import { type Child, fill, h } from '../dom';
import { spoken } from '../game/describe';
import { pgnOf } from '../game/write';
import { type Place, isMainLine, numberOf, rootOf } from '../game/tree';
import { current } from '../state';
import { copy } from './clipboard';
import { editPlayed } from './edit';
import { icon } from './icons';

export function lineView(app: App): HTMLElement {
  const list = h('div', { class: 'line-moves' });
  const changes = h('div', { class: 'line-changes' });
  const tools = h('div', { class: 'line-tools' }, changes, copies(app));
  const heard = h('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  app.store.follow((state) => {
    const { place } = state;
    fill(list, movesAfter(app, rootOf(place), place, true));
    fill(changes, changesAt(app, place, current(state)?.editable ?? false));
    const words = spoken(place);
    if (heard.textContent !== words) heard.textContent = words;
    keepInView(list);
  });
  return h('section', { class: 'line card', 'aria-label': 'Moves played' }, list, tools, heard);
}

/** Scrolls the list, never the page, to the current move. */
function keepInView(list: HTMLElement): void {
  const current = list.querySelector<HTMLElement>('[aria-current]');
  if (!current) return;
  const [top, bottom] = [current.offsetTop, current.offsetTop + current.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** Moves after a place: the main move, the other moves as branches, and what follows the main move. */
function movesAfter(app: App, start: Place, here: Place, numbered: boolean): Child[] {
  const shown: Child[] = [];
  let [place, isNumbered]: [Place, boolean] = [start, numbered];
  for (let main = place.children[0]; main; main = place.children[0]) {
    const others = place.children.slice(1);
    shown.push(moveButton(app, main, here, isNumbered));
    shown.push(...others.map((other) => branch(app, other, here)));
    [place, isNumbered] = [main, others.length > 0];
  }
  if (shown.length === 0) return [h('p', { class: 'faint' }, 'Play a move on the board or in the table.')];
  return shown;
}

function branch(app: App, place: Place, here: Place): HTMLElement {
  const rest = place.children.length > 0 ? movesAfter(app, place, here, false) : [];
  return h('div', { class: 'branch' }, moveButton(app, place, here, true), rest);
}

function moveButton(app: App, place: Place, here: Place, numbered: boolean): Child {
  const withNumber = numbered || place.ply % 2 === 1;
  const button = h(
    'button',
    {
      type: 'button',
      class: 'ply',
      'aria-current': place === here ? 'true' : undefined,
      on: { click: () => app.go(place) },
    },
    withNumber && h('span', { class: 'number' }, `${numberOf(place)} `),
    place.san,
  );
  return button;
}

/** What can be done with the move that is shown. */
function changesAt(app: App, place: Place, isEditable: boolean): Child {
  if (!place.parent) return null;
  return [
    isEditable &&
      h(
        'button',
        {
          type: 'button',
          class: 'link',
          'data-key': 'edit-played',
          on: { click: () => void editPlayed(app, place) },
        },
        icon('edit'),
        `Edit ${place.san}`,
      ),
    !isMainLine(place) &&
      h(
        'button',
        { type: 'button', class: 'link', 'data-key': 'promote', on: { click: () => app.promote() } },
        icon('promote'),
        'Make main line',
      ),
    h(
      'button',
      {
        type: 'button',
        class: 'link',
        'data-key': 'cut',
        title: `Remove ${numberOf(place)} ${place.san} and all after it`,
        on: { click: () => app.cut() },
      },
      icon('cut'),
      'Delete',
    ),
  ];
}

function copies(app: App): HTMLElement {
  const button = (label: string, what: string, text: () => string): HTMLElement =>
    h('button', { type: 'button', class: 'link', on: { click: () => void copy(text(), what) } }, label);
  return h(
    'div',
    { class: 'copies' },
    h('span', {}, 'Copy '),
    button('link', 'Link', () => location.origin + location.pathname + location.search),
    button('FEN', 'FEN', () => app.store.get().place.fen),
    button('PGN', 'PGN', () => pgnOf(app.store.get().place)),
  );
}
