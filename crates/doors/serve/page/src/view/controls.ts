/** The buttons below the board, and the field that reads moves, lines, FENs and PGNs. */

import type { App } from '../app';
import { h } from '../dom';
import { read } from '../game/read';
import { type Icon, icon } from './icons';
import { say } from './message';

export function controls(app: App): HTMLElement {
  return h('div', { class: 'controls' }, steps(app), field(app));
}

/** Goes to where a text leads, or says what is wrong with it; whether it was read. */
export function goToText(app: App, text: string): boolean {
  const reading = read(text, app.store.get().place);
  if ('wrong' in reading) {
    say(reading.wrong);
    return false;
  }
  app.go(reading.place);
  return true;
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
    placeholder: 'Move, line, FEN or PGN',
    'aria-label': 'Move, line, FEN or PGN',
  });
  const submit = (): void => {
    if (goToText(app, input.value)) input.value = '';
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
