/** What went wrong with a question, and a button that asks again. */

import type { App } from '../app';
import { h } from '../dom';

export function problem(app: App, text: string): HTMLElement {
  const again = h(
    'button',
    { type: 'button', class: 'quiet', on: { click: () => app.store.set({}) } },
    'Try again',
  );
  return h('div', { class: 'problem' }, h('p', { role: 'alert' }, text), again);
}
