/** Which games are counted: chips for speeds and rating bands, and a span of months. */

import type { App } from '../app';
import { fill, h } from '../dom';
import { bandName, month, speed } from '../format';
import { EVERY_GAME, current } from '../state';

export function filtersView(app: App): HTMLElement {
  const element = h('section', { class: 'filters', 'aria-label': 'Which games' });
  app.store.follow((state) => {
    const groups = current(state)?.groups;
    const { filters } = state;
    if (!groups) return fill(element);
    const isFiltered = JSON.stringify(filters) !== JSON.stringify(EVERY_GAME);
    const toggle = (list: readonly string[], one: string): string[] =>
      list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
    const bands = groups.ratings.map((band): Chip => ({
      value: String(band),
      label: String(band),
      title: bandName(band),
    }));
    fill(
      element,
      chips(
        'Speed',
        groups.speeds.map((name) => ({ value: name, label: speed(name) })),
        filters.speeds,
        (one) => app.filter({ speeds: toggle(filters.speeds, one) }),
      ),
      groups.months.length > 1 &&
        h(
          'div',
          { class: 'chips' },
          months('From', groups.months, filters.since, (since) => app.filter({ since })),
          months('to', groups.months, filters.until, (until) => app.filter({ until })),
        ),
      chips('Rating', bands, filters.ratings, (one) => app.filter({ ratings: toggle(filters.ratings, one) })),
      isFiltered &&
        h(
          'button',
          { type: 'button', class: 'link', 'data-key': 'every', on: { click: () => app.filter(EVERY_GAME) } },
          'Every game',
        ),
    );
  });
  return element;
}

interface Chip {
  value: string;
  label: string;
  /** In full, if the label is short. */
  title?: string;
}

function chips(
  title: string,
  values: readonly Chip[],
  chosen: readonly string[],
  toggle: (value: string) => void,
): HTMLElement | null {
  if (values.length < 2) return null;
  const buttons = values.map(({ value, label, title }) =>
    h(
      'button',
      {
        type: 'button',
        class: 'chip',
        title,
        'aria-label': title,
        'aria-pressed': String(chosen.includes(value)),
        'data-key': `chip-${title}-${value}`,
        on: { click: () => toggle(value) },
      },
      label,
    ),
  );
  return h(
    'div',
    { class: 'chips', role: 'group', 'aria-label': title },
    h('span', { class: 'name' }, title),
    buttons,
  );
}

function months(
  label: string,
  values: readonly string[],
  chosen: string | null,
  choose: (month: string | null) => void,
): HTMLElement {
  const option = (value: string, text: string): HTMLElement =>
    h('option', { value, selected: (chosen ?? '') === value }, text);
  const select = h(
    'select',
    { 'data-key': `month-${label}`, on: { change: () => choose(select.value || null) } },
    option('', label === 'From' ? 'first' : 'last'),
    values.map((value) => option(value, month(value))),
  );
  return h('label', {}, h('span', { class: 'name' }, label), ' ', select);
}
