/** What the page shows: one object, most of which the address holds. */

import type { Artefact } from './api/answers';
import type { Color } from './game/rules';
import type { Place } from './game/tree';
import { type Store } from './store';

/** Which games are asked for; empty lists and null are all of them. */
export interface Filters {
  speeds: readonly string[];
  ratings: readonly string[];
  since: string | null;
  until: string | null;
}

export const EVERY_GAME: Filters = { speeds: [], ratings: [], since: null, until: null };

export const TABS = ['trends', 'compare', 'holes', 'review', 'policies'] as const;
export type Tab = (typeof TABS)[number];

export interface State {
  artefacts: readonly Artefact[];
  /** The artefact that is asked; the server's default if null. */
  book: string | null;
  /** The artefact that it is compared with. */
  other: string | null;
  place: Place;
  orientation: Color;
  filters: Filters;
  /** The chosen tab; null before one is chosen. */
  tab: Tab | null;
  /** Counts the edits, so that what was asked before one is asked again. */
  edits: number;
}

export type AppStore = Store<State>;

/** The artefact that is asked. */
export function current(state: State): Artefact | undefined {
  const { artefacts, book } = state;
  return artefacts.find((one) => one.name === book) ?? artefacts.find((one) => one.default) ?? artefacts[0];
}

/** The artefact that is asked, as requests name it: null is the server's default. */
export function bookOf(state: State): string | null {
  const artefact = current(state);
  return !artefact || artefact.default ? null : artefact.name;
}

/** The artefact to compare with: the chosen one, or another than the current. */
export function compared(state: State): Artefact | undefined {
  const others = state.artefacts.filter((one) => one !== current(state));
  return others.find((one) => one.name === state.other) ?? others[0];
}

/** The tab that is shown: the chosen one, or the first that has something to show. */
export function tabOf(state: State): Tab {
  if (state.tab) return state.tab;
  const groups = current(state)?.groups;
  if (groups && (groups.months.length > 0 || groups.ratings.length > 0)) return 'trends';
  return state.artefacts.length > 1 ? 'compare' : 'policies';
}
