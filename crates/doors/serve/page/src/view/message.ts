/** A short message at the foot of the page, which is also spoken. */

import { h } from '../dom';

const SHOWN_MS = 4000;
const box = h('div', { class: 'message', role: 'status', 'aria-live': 'polite' });
let timer: ReturnType<typeof setTimeout> | undefined;

export function messageBox(): HTMLElement {
  return box;
}

export function say(text: string): void {
  box.textContent = text;
  box.classList.add('shown');
  clearTimeout(timer);
  timer = setTimeout(() => {
    box.classList.remove('shown');
    box.textContent = '';
  }, SHOWN_MS);
}
