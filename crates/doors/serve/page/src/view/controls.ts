/** The buttons below the board, and the field that reads moves, lines, FENs and PGNs. */

import type { App } from '../app';
import { h } from '../dom';
import { read } from '../game/read';
import { type Icon, icon } from './icons';
import { say, wait } from './message';
import { goToOpening } from './named';

/** What is said of words that a search did not find before it was stopped. */
const STOPPED =
  'This is no move, line, FEN or PGN, and no opening among the positions that are played most: the search was stopped early.';

export function controls(app: App): HTMLElement {
  return h('div', { class: 'controls' }, steps(app), field(app));
}

/** Goes to where a text leads, or says what is wrong with it; whether it was read. */
export async function goToText(app: App, text: string): Promise<boolean> {
  const reading = read(text, app.store.get().place);
  if ('place' in reading) {
    app.go(reading.place);
    return true;
  }
  if (isName(text)) {
    const name = text.trim();
    const still = wait(`Looking for “${name}” in the book…`);
    try {
      const found = await goToOpening(app, name);
      if (found === 'gone') return true;
      if (found === 'stopped') reading.wrong = STOPPED;
    } catch (error) {
      reading.wrong = error instanceof Error ? error.message : String(error);
    } finally {
      still();
    }
  }
  say(reading.wrong);
  return false;
}

/** Whether a text may name an opening: a code, or words. */
function isName(text: string): boolean {
  return /^\s*([a-e]\d\d|[\p{L}'’][\p{L}'’:,. -]{2,60})\s*$/iu.test(text);
}

function steps(app: App): HTMLElement {
  const step = (name: Icon, label: string, click: () => void): HTMLElement =>
    h(
      'button',
      { type: 'button', class: 'plain', 'aria-label': label, title: label, on: { click } },
      icon(name),
    );
  return h(
    'div',
    { class: 'steps', role: 'group', 'aria-label': 'Steps' },
    step('first', 'First position (↑)', () => app.first()),
    step('back', 'Back (←)', () => app.back()),
    step('forward', 'Forward (→)', () => app.forward()),
    step('last', 'Last position (↓)', () => app.last()),
    step('flip', 'Flip the board (f)', () => app.flip()),
  );
}

function field(app: App): HTMLElement {
  const input = h('textarea', {
    id: 'field',
    rows: 1,
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: 'Move, line, opening, FEN or PGN',
    'aria-label': 'Move, line, opening, FEN or PGN',
  });
  const submit = (): void => {
    const text = input.value;
    void goToText(app, text).then((isRead) => {
      if (isRead && input.value === text) input.value = '';
    });
  };
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    submit();
  });
  input.addEventListener('paste', () => setTimeout(submit));
  const go = h('button', { type: 'button', class: 'quiet', on: { click: submit } }, 'Go');
  return h('div', { class: 'field' }, input, go);
}
