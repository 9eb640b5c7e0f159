/** What the parts of the page share: the state, the server, and what a person can do. */

import { type Artefact, type Groups, type Setting } from './api/answers';
import { type Query, setValue } from './api/client';
import { AddressBar, movesTo, readAddress } from './address';
import { START } from './game/rules';
import { type Place, advance, cut, endOf, follow, makeMainLine, rootOf } from './game/tree';
import { type AppStore, type Filters, type State, bookOf } from './state';
import { Store } from './store';

export class App {
  readonly store: AppStore;

  constructor(artefacts: readonly Artefact[]) {
    this.store = new Store<State>({ ...readAddress(location.search), artefacts, edits: 0 });
    const bar = new AddressBar();
    this.store.follow((state, before) => state === before || bar.write(state));
    window.addEventListener('popstate', () => this.store.set(this.inTree(readAddress(location.search))));
  }

  /** Plays a move in UCI notation; false if it is not legal. */
  play(uci: string): boolean {
    const place = advance(this.store.get().place, uci);
    if (place) this.go(place);
    return place !== null;
  }

  go(place: Place): void {
    if (place !== this.store.get().place) this.store.set({ place });
  }

  back(): void {
    const { place } = this.store.get();
    if (place.parent) this.go(place.parent);
  }

  forward(): void {
    const next = this.store.get().place.children[0];
    if (next) this.go(next);
  }

  first(): void {
    this.go(rootOf(this.store.get().place));
  }

  last(): void {
    this.go(endOf(this.store.get().place));
  }

  flip(): void {
    this.store.set({ orientation: this.store.get().orientation === 'white' ? 'black' : 'white' });
  }

  /** Removes the move to this place, and all after it. */
  cut(): void {
    const { place } = this.store.get();
    if (place.parent) this.go(cut(place));
  }

  /** Makes the moves to this place the main line. */
  promote(): void {
    makeMainLine(this.store.get().place);
    this.store.set({});
  }

  /** Asks another artefact. Filters that it was not counted by are dropped. */
  choose(name: string): void {
    const { artefacts, filters } = this.store.get();
    const artefact = artefacts.find((one) => one.name === name);
    if (!artefact) return;
    this.store.set({ book: artefact.default ? null : name, filters: answerable(filters, artefact.groups) });
  }

  filter(change: Partial<Filters>): void {
    this.store.set({ filters: { ...this.store.get().filters, ...change } });
  }

  /** Sets a value of a move from a place; every number is asked for again. */
  async set(place: Place, setting: Setting): Promise<void> {
    await setValue(bookOf(this.store.get()), positionQuery(place), setting);
    this.store.set({ edits: this.store.get().edits + 1 });
  }

  /** The place of an address in the tree that there is, if it begins where the tree does. */
  private inTree<A extends { place: Place }>(addressed: A): A {
    const root = rootOf(this.store.get().place);
    if (rootOf(addressed.place).fen !== root.fen) return addressed;
    return { ...addressed, place: follow(root, movesTo(addressed.place)) };
  }
}

/** The position, as requests name it. */
export function positionQuery(place: Place): Query {
  const root = rootOf(place);
  return { fen: root.fen === START ? null : root.fen, play: movesTo(place) };
}

/** The position and the filters, as requests name them. */
export function query(state: Pick<State, 'place' | 'filters'>): Query {
  const { speeds, ratings, since, until } = state.filters;
  return { ...positionQuery(state.place), speeds, ratings, since, until };
}

function answerable(filters: Filters, groups: Groups): Filters {
  const bands = groups.ratings.map(String);
  const hasMonths = groups.months.length > 0;
  return {
    speeds: filters.speeds.filter((speed) => groups.speeds.includes(speed)),
    ratings: filters.ratings.filter((band) => bands.includes(band)),
    since: hasMonths ? filters.since : null,
    until: hasMonths ? filters.until : null,
  };
}
