/** The name of the opening, above the board. */

import type { Probe } from '../api/answers';
import type { App } from '../app';
import { fill, h } from '../dom';
import { games } from '../format';

export interface OpeningView {
  element: HTMLElement;
  answered(probe: Probe): void;
}

export function openingView(app: App): OpeningView {
  const element = h('div', { class: 'opening' });
  return {
    element,
    answered: ({ opening, tally }) => {
      const title = app.store.get().place.parent ? 'Unnamed position' : 'Start';
      fill(
        element,
        opening && h('span', { class: 'eco' }, opening.eco),
        h('h2', {}, opening?.name ?? title),
        tally && h('span', { class: 'faint' }, games(tally.games)),
      );
      document.title = opening ? `${opening.name} – Tabia` : 'Tabia';
    },
  };
}
