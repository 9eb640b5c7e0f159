/** Which artefact to compare with. */

import type { App } from '../app';
import { h } from '../dom';
import { type State, compared, current } from '../state';

/** A choice of another artefact than the one that is shown. */
export function otherSelect(app: App, state: State, id: string, label: string, none?: string): HTMLElement {
  const chosen = none !== undefined && state.other === null ? null : compared(state)?.name;
  const others = state.artefacts.filter((one) => one !== current(state));
  const option = (value: string, text: string): HTMLElement =>
    h('option', { value, selected: value === (chosen ?? '') }, text);
  const select = h(
    'select',
    { id, 'data-key': id, on: { change: () => app.store.set({ other: select.value || null }) } },
    none !== undefined && option('', none),
    others.map(({ name }) => option(name, name)),
  );
  return h('label', { for: id }, `${label} `, select);
}
