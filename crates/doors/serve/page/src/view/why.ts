/** Why a policy plays a move, and where the numbers of the move came from. */

import type { Choice, ChosenMove, Parameter, Policy, Probe, Why } from '../api/answers';
import { ask } from '../api/client';
import { type Loaded, Loader } from '../api/loader';
import { type App, query } from '../app';
import { type Child, fill, h } from '../dom';
import { percent, value } from '../format';
import { bookOf } from '../state';
import { openDialog } from './dialog';
import { origin } from './origin';

/** Opens the explanation of a policy in the position that is shown, with a move of it in the light. */
export function explain(app: App, policy: Policy, move?: string): void {
  new Explanation(app, policy, move);
}

class Explanation {
  private readonly choice = h('div', { class: 'choice' });
  private readonly origin = h('div', { class: 'origin' });
  private readonly settings = new Map<string, string>();
  private readonly loader = new Loader<Probe>((loaded) => this.showChoice(loaded));
  private readonly whyLoader = new Loader<Why>((loaded) => this.showOrigin(loaded));

  constructor(
    private readonly app: App,
    private readonly policy: Policy,
    private move: string | undefined,
  ) {
    openDialog(
      policy.name,
      'explanation wide',
      h('p', {}, `${sentence(policy.about)} `, h('span', { class: 'faint' }, policy.source)),
      policy.parameters.length > 0 && this.form(policy.parameters),
      this.choice,
      this.origin,
    );
    this.ask();
    this.askOrigin();
  }

  private ask(): void {
    const state = this.app.store.get();
    const book = bookOf(state);
    const set = [...this.settings].map(([name, text]) => `${name}=${text}`);
    const asked = { ...query(state), policy: this.policy.name, set };
    this.loader.load(JSON.stringify(set), (signal) => ask(book, 'tabia/probe', asked, signal));
  }

  private askOrigin(): void {
    const state = this.app.store.get();
    if (!this.move) return;
    const asked = { ...query(state), move: this.move };
    this.whyLoader.load(this.move, (signal) => ask(bookOf(state), 'tabia/why', asked, signal));
  }

  private select(move: string): void {
    this.move = move;
    this.askOrigin();
    for (const row of this.choice.querySelectorAll('tr[data-move]')) {
      row.classList.toggle('chosen', row.getAttribute('data-move') === move);
    }
  }

  /** The settings of the policy, to be tried. */
  private form(parameters: readonly Parameter[]): HTMLElement {
    const fields = parameters.map(({ name, about, default: usual, range }) => {
      const input = h('input', {
        type: 'text',
        value: usual ?? '',
        placeholder: usual ?? 'by version',
        title: range,
        size: 8,
        on: { change: () => change(name, input.value.trim(), usual ?? '') },
      });
      return h('label', { class: 'setting', title: `${about} (${range})` }, h('span', {}, name), input);
    });
    const change = (name: string, text: string, usual: string): void => {
      if (text === usual || text === '') this.settings.delete(name);
      else this.settings.set(name, text);
      this.ask();
    };
    return h('details', {}, h('summary', {}, 'Settings to try'), h('div', { class: 'settings' }, fields));
  }

  private showChoice({ answer, error, loading }: Loaded<Probe>): void {
    this.choice.classList.toggle('loading', loading);
    if (error) return fill(this.choice, h('p', { class: 'problem', role: 'alert' }, error));
    const choice = answer?.choice;
    if (!choice) return;
    fill(this.choice, notes(choice), this.table(choice), figures(choice));
  }

  private table(choice: Choice): Child {
    if (choice.moves.length === 0) return null;
    const names = [...new Set(choice.moves.flatMap((move) => Object.keys(move.scores)))];
    const isGrouped = choice.moves.some((move) => move.group !== undefined);
    const heads = ['Move', 'Chance', ...(isGrouped ? ['Group'] : []), ...names];
    return h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Values of the moves' },
      h(
        'table',
        { class: 'values' },
        h('caption', { class: 'unseen' }, `How ${choice.policy} chooses`),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            heads.map((name) => h('th', { scope: 'col' }, spaced(name))),
          ),
        ),
        h(
          'tbody',
          {},
          choice.moves.map((move) => this.row(move, names, isGrouped)),
        ),
      ),
    );
  }

  private row(move: ChosenMove, names: readonly string[], isGrouped: boolean): HTMLElement {
    const select = h(
      'button',
      {
        type: 'button',
        class: 'play',
        'data-key': `why-${move.uci}`,
        on: { click: () => this.select(move.uci) },
      },
      move.san,
    );
    const chance = move.excluded
      ? h('span', { class: 'out' }, `out: ${move.excluded.rule}`)
      : percent(move.probability);
    const isChosen = move.uci === this.move;
    const kind = `${isChosen ? 'chosen' : ''} ${move.excluded ? 'excluded' : ''}`.trim();
    return h(
      'tr',
      { class: kind || undefined, 'data-move': move.uci },
      h('th', { scope: 'row' }, select),
      h('td', { class: 'chance' }, chance),
      isGrouped && h('td', { class: 'group' }, move.group ?? ''),
      names.map((name) => {
        const number = move.scores[name];
        return h('td', {}, number === undefined ? '' : value(number));
      }),
    );
  }

  private showOrigin({ answer, error }: Loaded<Why>): void {
    if (error) return fill(this.origin, h('p', { class: 'faint' }, error));
    if (answer) fill(this.origin, origin(answer));
  }
}

function notes(choice: Choice): Child {
  return choice.notes.map((note) => h('p', { class: 'note' }, note));
}

function figures(choice: Choice): Child {
  const entries = Object.entries(choice.figures);
  if (entries.length === 0) return null;
  return h(
    'dl',
    { class: 'figures' },
    entries.map(([name, number]) => h('div', {}, h('dt', {}, spaced(name)), h('dd', {}, value(number)))),
  );
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

function spaced(name: string): string {
  return name.replaceAll(/[_-]/g, ' ');
}
