/** What every policy would play here, a bar each. */

import type { Policy } from '../api/answers';
import { ask } from '../api/client';
import { Loader, type Loaded } from '../api/loader';
import { type App, query } from '../app';
import { type Child, fill, h } from '../dom';
import { percent } from '../format';
import { type State, bookOf } from '../state';
import type { Panel } from './panels';
import { problem } from './problem';
import { explain, sentence } from './why';

/** Colours of moves in the style sheet; moves past them share the last one. */
const COLOURS = 8;

export class PoliciesPanel implements Panel {
  readonly element = h('div', { class: 'policies' });
  private readonly loader = new Loader<{ policies: Policy[] }>((loaded) => this.fill(loaded));

  constructor(private readonly app: App) {}

  show(state: State): void {
    const [book, asked] = [bookOf(state), query(state)];
    const key = JSON.stringify([book, asked, state.edits]);
    this.loader.load(key, (signal) => ask(book, 'tabia/policies', asked, signal));
  }

  private fill({ answer, error, loading }: Loaded<{ policies: Policy[] }>): void {
    this.element.classList.toggle('loading', loading);
    if (error) return fill(this.element, problem(this.app, error));
    if (!answer) return;
    const colours = colourMoves(answer.policies);
    const speaks = ({ error, moves }: Policy): boolean => !error && moves.some(({ chance }) => chance > 0);
    const silent = answer.policies.filter((policy) => !speaks(policy));
    fill(
      this.element,
      h('p', { class: 'faint' }, 'The chance of each move by every policy. Click one to see why.'),
      h(
        'ul',
        { class: 'policy-list' },
        answer.policies.filter(speaks).map((policy) => this.row(policy, colours)),
      ),
      silent.length > 0 &&
        h('p', { class: 'faint note' }, `Without a move here: ${silent.map(({ name }) => name).join(', ')}.`),
    );
  }

  private row(policy: Policy, colours: Map<string, number>): HTMLElement {
    const open = (move?: string): void => explain(this.app, policy, move);
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'link name',
          'data-key': `policy-${policy.name}`,
          on: { click: () => open() },
        },
        policy.name,
      ),
      bar(policy, colours, open),
      h('span', { class: 'faint about' }, sentence(policy.about)),
    );
  }
}

function bar(policy: Policy, colours: Map<string, number>, open: (move: string) => void): Child {
  const colour = (uci: string): number => colours.get(uci) ?? COLOURS;
  const played = policy.moves.filter((move) => move.chance > 0);
  played.sort((a, b) => b.chance - a.chance || colour(a.uci) - colour(b.uci));
  const parts = played.map(({ uci, san, chance }) => {
    const title = `${policy.name} plays ${san} with ${percent(chance)}`;
    return h(
      'button',
      {
        type: 'button',
        class: `part colour-${Math.min(colour(uci), COLOURS)}`,
        title,
        'data-key': `part-${policy.name}-${uci}`,
        vars: { '--share': `${100 * chance}%` },
        on: { click: () => open(uci) },
      },
      h('span', { class: 'san' }, san),
      h('span', { class: 'percent' }, ` ${Math.round(100 * chance)}%`),
    );
  });
  return h('div', { class: 'chances' }, parts);
}

/** A colour for each move, the moves with the greatest chances over all policies first. */
function colourMoves(policies: readonly Policy[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { uci, chance } of policies.flatMap((policy) => policy.moves)) {
    sums.set(uci, (sums.get(uci) ?? 0) + chance);
  }
  const order = [...sums].sort(([, a], [, b]) => b - a);
  return new Map(order.map(([uci], index) => [uci, index]));
}
