/** Sets a value, a mark or a priority of a move. */

import type { Known, Probe, Setting } from '../api/answers';
import { Refusal, ask } from '../api/client';
import { keepToken } from '../api/token';
import { type App, positionQuery } from '../app';
import { fill, h } from '../dom';
import type { Place } from '../game/tree';
import { bookOf } from '../state';
import { openDialog } from './dialog';
import { say } from './message';

const MARKS = [
  ['!!', 'always'],
  ['!', 'very often'],
  ['!?', 'very seldom'],
  ['?!', 'very seldom'],
  ['?', 'never'],
  ['??', 'never'],
] as const;

const PRIORITIES = ['never', '1', '2', '3', '4', '5'];

/** A move to edit, and what is known of it. */
export interface Edited {
  /** The position that it is played from. */
  place: Place;
  uci: string;
  name: string;
  known: Known | undefined;
}

export function editMove(app: App, edited: Edited): void {
  new Editor(app, edited);
}

/** Edits the move that led to a place, be it in the book or not. */
export async function editPlayed(app: App, place: Place): Promise<void> {
  const { parent, uci, san } = place;
  if (!parent) return;
  try {
    const signal = new AbortController().signal;
    const probe = await ask<Probe>(bookOf(app.store.get()), 'tabia/probe', positionQuery(parent), signal);
    const move = probe.moves.find((one) => one.uci === uci);
    const known = move?.known ?? probe.beyond?.find((one) => one.mv === san);
    editMove(app, { place: parent, uci, name: san, known });
  } catch (error) {
    say(wordsOf(error));
  }
}

class Editor {
  private readonly problem = h('p', { class: 'problem', role: 'alert' });
  private readonly token = h('div');
  private readonly dialog: HTMLDialogElement;

  constructor(
    private readonly app: App,
    private readonly edited: Edited,
  ) {
    const { known } = edited;
    const value = known?.mark ? undefined : known?.user_value;
    const clear = (): void => void this.save({ value: 'clear' }, 'cleared');
    this.dialog = openDialog(
      `Edit ${edited.name}`,
      'editor',
      group('Mark', this.marks(known)),
      valueForm(value, (number) => void this.save({ value: number }, `value ${number}`)),
      group('Priority', this.priorities(known)),
      this.problem,
      this.token,
      clearing(edited.name, clear),
    );
  }

  private marks(known: Known | undefined): HTMLElement[] {
    return MARKS.map(([mark, meaning]) => {
      const save = (): void => void this.save({ value: mark }, mark);
      return choice(mark, `${mark}: ${meaning}`, known?.mark === mark, save);
    });
  }

  private priorities(known: Known | undefined): HTMLElement[] {
    return PRIORITIES.map((label, priority) => {
      const save = (): void => void this.save({ priority }, `priority ${label}`);
      return choice(label, priorityTitle(priority), known?.priority === priority, save);
    });
  }

  private async save(setting: Omit<Setting, 'move'>, what: string): Promise<void> {
    const { place, uci, name } = this.edited;
    try {
      await this.app.set(place, { move: uci, ...setting });
      this.dialog.close();
      say(`${name}: ${what}`);
    } catch (error) {
      this.problem.textContent = wordsOf(error);
      if (error instanceof Refusal && error.status === 403)
        this.askToken(() => void this.save(setting, what));
    }
  }

  /** A field for the token that the server asks for, or its address; then the edit is tried again. */
  private askToken(again: () => void): void {
    const input = h('input', { type: 'password', id: 'edit-token', required: true, autocomplete: 'off' });
    const submit = (event: SubmitEvent): void => {
      event.preventDefault();
      keepToken(input.value.trim());
      again();
    };
    fill(
      this.token,
      h(
        'form',
        { class: 'group', on: { submit } },
        h('label', { for: 'edit-token' }, 'Token, or the address that the server printed'),
        h('div', { class: 'choices' }, input, h('button', { type: 'submit' }, 'Try with it')),
      ),
    );
    input.focus();
  }
}

/** A button that clears once it was asked whether it may. */
function clearing(name: string, clear: () => void): HTMLElement {
  const element = h('div', { class: 'choices' });
  const button = (label: string, kind: string, click: () => void): HTMLElement =>
    h('button', { type: 'button', class: kind, on: { click } }, label);
  const offer = (): void => fill(element, button('Clear what was set, and own results', 'quiet', confirm));
  const confirm = (): void => {
    const keep = button('Keep it', 'quiet', offer);
    const question = `Clear value, mark, priority and own results of ${name}? They do not come back.`;
    fill(element, h('p', { role: 'alert' }, question), keep, button('Clear', 'quiet', clear));
    keep.focus();
  };
  offer();
  return element;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function priorityTitle(priority: number): string {
  if (priority === 0) return 'Never play it';
  return priority === 5 ? 'Priority 5, the best' : `Priority ${priority}`;
}

function valueForm(value: number | undefined, save: (value: number) => void): HTMLElement {
  const input = h('input', {
    type: 'number',
    min: 0,
    max: 100,
    step: 1,
    required: true,
    id: 'edit-value',
    value: value ?? '',
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    save(input.valueAsNumber);
  };
  return h(
    'form',
    { class: 'group', on: { submit } },
    h('label', { for: 'edit-value' }, 'Value, 0 to 100'),
    h('div', { class: 'choices' }, input, h('button', { type: 'submit' }, 'Set')),
  );
}

function group(title: string, choices: HTMLElement[]): HTMLElement {
  const legend = h('legend', {}, title);
  return h('fieldset', { class: 'group' }, legend, h('div', { class: 'choices' }, choices));
}

function choice(label: string, title: string, pressed: boolean, click: () => void): HTMLElement {
  return h(
    'button',
    { type: 'button', class: 'choice', title, 'aria-pressed': String(pressed), on: { click } },
    label,
  );
}
