/** A short message at the foot of the page, which is also spoken. */

import { h } from '../dom';

const SHOWN_MS = 4000;
const WAIT_MS = 200;
const box = h('div', { class: 'message', role: 'status', 'aria-live': 'polite' });
let timer: ReturnType<typeof setTimeout> | undefined;

export function messageBox(): HTMLElement {
  return box;
}

export function say(text: string): void {
  show(text);
  timer = setTimeout(hide, SHOWN_MS);
}

/** Says what is being waited for, once that takes a moment, until the function it returns is called. */
export function wait(text: string): () => void {
  const begun = setTimeout(() => show(text), WAIT_MS);
  return () => {
    clearTimeout(begun);
    if (box.textContent === text) hide();
  };
}

function show(text: string): void {
  clearTimeout(timer);
  box.textContent = text;
  box.classList.add('shown');
}

function hide(): void {
  box.classList.remove('shown');
  box.textContent = '';
}
