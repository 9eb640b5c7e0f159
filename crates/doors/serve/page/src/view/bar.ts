/** A bar of White's wins, draws and Black's wins. */

import type { Outcomes } from '../api/answers';
import { h } from '../dom';
import { percent } from '../format';
import { gamesOf } from '../score';

export function outcomesBar(outcomes: Outcomes): HTMLElement {
  const games = gamesOf(outcomes);
  if (games === 0) return h('span', { class: 'faint' }, '–');
  const [white, draws, black] = [outcomes.white / games, outcomes.draws / games, outcomes.black / games];
  const label = `White ${percent(white)}, draws ${percent(draws)}, Black ${percent(black)}`;
  const part = (name: string, share: number): HTMLElement | null => {
    if (share === 0) return null;
    const label = h('span', { class: 'label' }, `${Math.round(100 * share)}%`);
    return h('span', { class: `part ${name}`, vars: { '--share': `${100 * share}%` } }, label);
  };
  return h(
    'div',
    { class: 'outcomes', role: 'img', 'aria-label': label, title: label },
    part('white', white),
    part('draws', draws),
    part('black', black),
  );
}
