/** The way back from a position that the book does not have. */

import type { Probe } from '../api/answers';
import { PROBES_MAX, ask } from '../api/client';
import { type App, query } from '../app';
import { h } from '../dom';
import { positionIn } from '../game/review';
import type { Place } from '../game/tree';
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
  const before: Place[] = [];
  for (let here = state.place.parent; here; here = here.parent) before.push(here);
  let back = before.at(-1);
  for (let at = 0; at < before.length; at += PROBES_MAX) {
    const batch = before.slice(at, at + PROBES_MAX);
    const asked = { ...query(state), play: null, fen: batch.map(({ fen }) => positionIn(fen)) };
    const { probes } = await ask<{ probes: Probe[] }>(bookOf(state), 'tabia/probes', asked, signal);
    const known = batch.find((_, index) => probes[index]?.moves.length);
    if (known) {
      back = known;
      break;
    }
  }
  if (back && app.store.get().place === state.place) app.go(back);
}
