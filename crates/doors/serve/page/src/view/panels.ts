/** Tabs below the table: one panel at a time, which asks only while it is seen. */

import type { Probe } from '../api/answers';
import type { App } from '../app';
import { h } from '../dom';
import { type State, TABS, type Tab, tabOf } from '../state';

/** What a tab shows. */
export interface Panel {
  readonly element: HTMLElement;
  /** Called when the state changes while the panel is seen, and when it comes into view. */
  show(state: State): void;
  /** Called with each answer about the position. */
  answered?(probe: Probe): void;
}

const TITLES: Record<Tab, string> = {
  trends: 'Trends',
  compare: 'Compare',
  holes: 'Holes',
  review: 'Review',
  policies: 'Policies',
};

export function panelsView(app: App, panels: Record<Tab, Panel>): HTMLElement {
  const tabs = TABS.map((tab) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${tab}`,
        'aria-controls': `panel-${tab}`,
        on: { click: () => app.store.set({ tab }), keydown: (event) => byArrow(app, event) },
      },
      TITLES[tab],
    ),
  );
  const bodies = TABS.map((tab) =>
    h(
      'div',
      { role: 'tabpanel', id: `panel-${tab}`, 'aria-labelledby': `tab-${tab}`, tabindex: 0 },
      panels[tab].element,
    ),
  );
  app.store.follow((state) => {
    const shown = tabOf(state);
    TABS.forEach((tab, index) => {
      const isShown = tab === shown;
      tabs[index]?.setAttribute('aria-selected', String(isShown));
      tabs[index]?.setAttribute('tabindex', isShown ? '0' : '-1');
      bodies[index]?.toggleAttribute('hidden', !isShown);
    });
    panels[shown].show(state);
  });
  const list = h('div', { role: 'tablist', 'aria-label': 'More of this position', class: 'tabs' }, tabs);
  return h('section', { class: 'panels card' }, list, bodies);
}

/** Left and right go to the tab beside. */
function byArrow(app: App, event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const index = TABS.indexOf(tabOf(app.store.get()));
  const tab = TABS[(index + step + TABS.length) % TABS.length] ?? TABS[0];
  app.store.set({ tab });
  document.getElementById(`tab-${tab}`)?.focus();
}
