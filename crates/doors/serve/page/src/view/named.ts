/** Openings by name: what the field does not read as moves is looked up. */

import type { FoundOpening, FoundOpenings } from '../api/answers';
import { ask } from '../api/client';
import type { App } from '../app';
import { h } from '../dom';
import { START } from '../game/rules';
import { follow, rootAt, rootOf } from '../game/tree';
import { bookOf } from '../state';
import { openDialog } from './dialog';

/** Goes to the opening of that name, or lets one of several be chosen; says if there is none, or none yet. */
export async function goToOpening(app: App, name: string): Promise<'gone' | 'stopped' | 'none'> {
  const { signal } = new AbortController();
  const book = bookOf(app.store.get());
  const { openings, complete } = await ask<FoundOpenings>(book, 'tabia/openings', { name }, signal);
  const go = ({ play }: FoundOpening): void => {
    const root = rootOf(app.store.get().place);
    app.go(follow(root.fen === START ? root : rootAt(START), play.split(',')));
  };
  const [first, ...others] = openings;
  if (!first) return complete ? 'none' : 'stopped';
  if (others.length > 0) choose(name, openings, go);
  else go(first);
  return 'gone';
}

function choose(name: string, openings: FoundOpening[], go: (opening: FoundOpening) => void): void {
  const items = openings.map((opening) => {
    const click = (): void => {
      dialog.close();
      go(opening);
    };
    const button = { type: 'button', class: 'link', on: { click } };
    return h('li', {}, h('button', button, `${opening.eco} ${opening.name}`));
  });
  const dialog = openDialog(`Openings called “${name}”`, 'openings', h('ul', {}, items));
  items[0]?.querySelector('button')?.focus();
}
