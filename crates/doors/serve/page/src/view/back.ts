/** The way back from a position that the book does not have. */

import type { Probe } from '../api/answers';
import { ask } from '../api/client';
import { type App, query } from '../app';
import { h } from '../dom';
import { bookOf } from '../state';
import { say } from './message';

/** A button to the last position of the line that the book has; null at the start. */
export function wayBack(app: App): HTMLElement | null {
  if (!app.store.get().place.parent) return null;
  const click = (): void => void goBack(app).catch((error: Error) => say(error.message));
  return h(
    'button',
    { type: 'button', class: 'quiet', 'data-key': 'way-back', on: { click } },
    'Back into the book',
  );
}

async function goBack(app: App): Promise<void> {
  const { signal } = new AbortController();
  const state = app.store.get();
  let { place } = state;
  while (place.parent) {
    place = place.parent;
    const asked = query({ ...state, place });
    const probe = await ask<Probe>(bookOf(state), 'tabia/probe', asked, signal);
    if (probe.moves.length > 0) break;
  }
  if (app.store.get().place === state.place) app.go(place);
}
