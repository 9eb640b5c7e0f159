/** Sets a value, a mark or a priority of a move. */

import type { ProbedMove, Setting } from '../api/answers';
import type { App } from '../app';
import { h } from '../dom';
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

export function editMove(app: App, move: ProbedMove): void {
  const name = move.san ?? move.uci;
  const problem = h('p', { class: 'problem', role: 'alert' });
  const save = async (setting: Omit<Setting, 'move'>, what: string): Promise<void> => {
    try {
      await app.set({ move: move.uci, ...setting });
      dialog.close();
      say(`${name}: ${what}`);
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const { known } = move;
  const dialog = openDialog(
    `Edit ${name}`,
    'editor',
    group(
      'Mark',
      MARKS.map(([mark, meaning]) =>
        choice(mark, `${mark}: ${meaning}`, known?.mark === mark, () => void save({ value: mark }, mark)),
      ),
    ),
    valueForm(known?.mark ? undefined : known?.user_value, (value) => void save({ value }, `value ${value}`)),
    group(
      'Priority',
      PRIORITIES.map((label, priority) =>
        choice(
          label,
          priorityTitle(priority),
          known?.priority === priority,
          () => void save({ priority }, `priority ${label}`),
        ),
      ),
    ),
    problem,
    h(
      'footer',
      {},
      h(
        'button',
        { type: 'button', class: 'quiet', on: { click: () => void save({ value: 'clear' }, 'cleared') } },
        'Clear what was set, and own results',
      ),
    ),
  );
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
