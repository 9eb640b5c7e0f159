/** The address of the page holds what it shows: to share it, to come back, to reload. */

import { START, positionOf } from './game/rules';
import { type Branches, type Place, branchesOf, follow, grow, lineTo, rootAt, rootOf } from './game/tree';
import { EVERY_GAME, type Filters, type State, TABS } from './state';

/** What an address says; what it does not say is as at first. */
export type Addressed = Pick<State, 'book' | 'other' | 'place' | 'orientation' | 'filters' | 'tab'>;

const BRANCHES = 'tabia-branches';
/** Steps that follow each other faster are one entry of the history. */
const BURST_MS = 250;

export function readAddress(search: string): Addressed {
  const query = new URLSearchParams(search);
  const fen = (query.get('fen') ?? START).replaceAll('_', ' ');
  const root = rootAt(positionOf(fen) ? fen : START);
  grow(root, keptBranches(root.fen));
  return {
    book: query.get('book'),
    other: query.get('with'),
    place: follow(root, list(query.get('play'))),
    orientation: query.get('side') === 'black' ? 'black' : 'white',
    filters: readFilters(query),
    tab: TABS.find((tab) => tab === query.get('tab')) ?? null,
  };
}

export function addressOf(state: Addressed): string {
  const { book, other, place, orientation, filters, tab } = state;
  const root = rootOf(place);
  const said: [string, string | null | false][] = [
    ['book', book],
    ['fen', root.fen !== START && root.fen.replaceAll(' ', '_')],
    ['play', movesTo(place).join(',')],
    ['side', orientation === 'black' && orientation],
    ['speeds', filters.speeds.join(',')],
    ['ratings', filters.ratings.join(',')],
    ['since', filters.since],
    ['until', filters.until],
    ['with', other],
    ['tab', tab],
  ];
  const query = said.flatMap(([name, value]) => (value ? [`${name}=${readable(value)}`] : []));
  return query.length > 0 ? `?${query.join('&')}` : location.pathname;
}

/** The moves that lead to a place, as requests name them. */
export function movesTo(place: Place): string[] {
  return lineTo(place).map((step) => step.uci);
}

/** Writes the address of what is shown, and keeps the branches while the tab is open. */
export class AddressBar {
  private writtenAt = -Infinity;

  write(state: State): void {
    keepBranches(state.place);
    const address = addressOf(state);
    if (address === (location.search || location.pathname)) return;
    const [now, before] = [performance.now(), this.writtenAt];
    this.writtenAt = now;
    if (now - before < BURST_MS) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
  }
}

function readFilters(query: URLSearchParams): Filters {
  const [speeds, ratings] = [list(query.get('speeds')), list(query.get('ratings'))];
  return { ...EVERY_GAME, speeds, ratings, since: query.get('since'), until: query.get('until') };
}

function list(text: string | null): string[] {
  return text ? text.split(',') : [];
}

function readable(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%2F', '/');
}

interface Kept {
  fen: string;
  branches: Branches;
}

function keepBranches(place: Place): void {
  const root = rootOf(place);
  const kept: Kept = { fen: root.fen, branches: branchesOf(root) };
  try {
    sessionStorage.setItem(BRANCHES, JSON.stringify(kept));
  } catch {
    // Without storage, a reload forgets the branches.
  }
}

function keptBranches(fen: string): Branches {
  try {
    const kept = JSON.parse(sessionStorage.getItem(BRANCHES) ?? 'null') as Kept | null;
    return kept?.fen === fen ? kept.branches : [];
  } catch {
    return [];
  }
}
