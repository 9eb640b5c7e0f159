/** Where the games of a file left the book. The file is read here, and no game leaves the browser. */

import type { Probe } from '../api/answers';
import { PROBES_MAX, ask } from '../api/client';
import { type Loaded, Loader } from '../api/loader';
import type { App } from '../app';
import { type Child, fill, h } from '../dom';
import { games as gamesOf, score, whole } from '../format';
import {
  type BookMoves,
  DEPARTURES,
  type Departure,
  type ExitPlace,
  GAMES_MAX,
  type LookUp,
  type PlayedGame,
  playersOf,
  positionIn,
  readGames,
  review,
} from '../game/review';
import type { Color } from '../game/rules';
import { advance, follow, rootAt } from '../game/tree';
import { lineText } from '../game/write';
import { type State, bookOf } from '../state';
import type { Panel } from './panels';
import { problem } from './problem';

/** Places of each kind that are listed. */
const LISTED = 10;

/** A position that is asked for. */
interface Waiting {
  position: string;
  found: (moves: BookMoves) => void;
  failed: (why: unknown) => void;
}

const TITLES: Record<Departure, string> = {
  'player-left': 'The player left the book',
  'opponent-left': 'The opponent left the book',
  'book-ended': 'The book ended',
  completed: 'The game ended in the book',
  'other-opening': 'Another opening',
  'other-side': 'Not followed, since the player had the other side than the book’s',
};

export class ReviewPanel implements Panel {
  readonly element = h('div', { class: 'review' });
  private readonly form = h('div', { class: 'form' });
  private readonly result = h('div');
  private readonly loader = new Loader<ExitPlace[]>((loaded) => this.fill(loaded));
  private readonly players = h('label', { hidden: true });
  private games: PlayedGame[] = [];
  private player = '';
  /** Counts the files, so that another one is followed anew. */
  private files = 0;

  constructor(private readonly app: App) {
    this.element.append(this.form, this.result);
    const file = h('input', {
      type: 'file',
      accept: '.pgn,.txt',
      on: { change: () => void this.open(file.files?.[0]) },
    });
    this.form.append(h('label', {}, 'Games ', file), this.players);
    fill(
      this.result,
      h('p', { class: 'faint' }, 'Choose a PGN file: where did your games leave this book, and who left it?'),
    );
  }

  show(state: State): void {
    if (!this.player) return;
    const book = bookOf(state);
    const key = JSON.stringify([book, state.edits, this.files, this.player]);
    this.loader.load(key, (signal) => review(this.games, this.player, lookUpIn(book, signal)));
  }

  private async open(file: File | undefined): Promise<void> {
    if (!file) return;
    this.games = readGames(await file.text());
    this.files += 1;
    const players = playersOf(this.games);
    this.player = players[0]?.[0] ?? '';
    this.players.toggleAttribute('hidden', players.length === 0);
    if (players.length === 0) {
      this.loader.forget();
      return fill(this.result, h('p', { class: 'empty' }, `${file.name} has no games.`));
    }
    const select = h(
      'select',
      { 'data-key': 'review-player', on: { change: () => this.choose(select.value) } },
      players.map(([name, games]) => h('option', { value: name }, `${name} (${whole(games)})`)),
    );
    fill(this.players, 'Player ', select);
    this.show(this.app.store.get());
  }

  private choose(player: string): void {
    this.player = player;
    this.show(this.app.store.get());
  }

  private fill({ answer, error, loading }: Loaded<ExitPlace[]>): void {
    this.result.classList.toggle('loading', loading);
    if (error) return fill(this.result, problem(this.app, error));
    if (!answer) return fill(this.result, h('p', { class: 'faint' }, 'Following the games…'));
    const games = answer.reduce((sum, place) => sum + place.games, 0);
    const first = this.games.length === GAMES_MAX ? `, of the first ${whole(GAMES_MAX)} of the file` : '';
    fill(
      this.result,
      h('p', { class: 'faint', role: 'status' }, `${gamesOf(games)} of ${this.player}${first}.`),
      DEPARTURES.map((departure) => this.section(departure, answer)),
    );
  }

  private section(departure: Departure, all: readonly ExitPlace[]): Child {
    const places = all.filter((place) => place.departure === departure);
    if (places.length === 0) return null;
    const games = places.reduce((sum, place) => sum + place.games, 0);
    const title = h('h3', {}, `${TITLES[departure]}: ${gamesOf(games)}`);
    if (departure === 'other-side') return title;
    return [
      title,
      h(
        'ol',
        { class: 'hole-list' },
        places.slice(0, LISTED).map((place) => this.row(place)),
      ),
      places.length > LISTED &&
        h('p', { class: 'faint' }, `and ${whole(places.length - LISTED)} places more`),
    ];
  }

  private row(place: ExitPlace): HTMLElement {
    const { start, line, played, book, games, decided, points } = place;
    const here = follow(rootAt(start), line);
    const end = played === null ? here : (advance(here, played) ?? here);
    const verb = place.departure === 'opponent-left' ? 'knows' : 'plays';
    const says = book.length > 0 ? `the book ${verb} ${book.join(', ')}; ` : '';
    const result = decided > 0 ? `, ${score(points / decided)} %` : '';
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'link',
          'data-key': `review-${[...line, played].join('-')}`,
          on: { click: () => this.app.go(here) },
        },
        lineText(end) || 'Start position',
      ),
      h('span', { class: 'share' }, `${says}${gamesOf(games)}${result}`),
    );
  }
}

/** Asks each position once, and those that are asked together in one request. */
function lookUpIn(book: string | null, signal: AbortSignal): LookUp {
  const known = new Map<string, Promise<BookMoves>>();
  let waiting: Waiting[] = [];
  const send = (): void => {
    const asked = waiting;
    waiting = [];
    for (let at = 0; at < asked.length; at += PROBES_MAX) {
      const batch = asked.slice(at, at + PROBES_MAX);
      const fen = batch.map(({ position }) => position);
      ask<{ probes: Probe[]; side: Color | null }>(book, 'tabia/probes', { fen }, signal).then(
        ({ probes, side }) => batch.forEach(({ found }, index) => found({ ...movesOf(probes[index]), side })),
        (why: unknown) => batch.forEach(({ failed }) => failed(why)),
      );
    }
  };
  const probe = (position: string): Promise<BookMoves> =>
    new Promise((found, failed) => {
      if (waiting.length === 0) setTimeout(send);
      waiting.push({ position, found, failed });
    });
  return (fen) => {
    const position = positionIn(fen);
    const asked = known.get(position) ?? probe(position);
    known.set(position, asked);
    return asked;
  };
}

function movesOf(probe: Probe | undefined): BookMoves {
  const moves = probe?.moves ?? [];
  const played = moves.filter(({ weight, known }) => weight !== 0 && known?.playable !== false);
  return { all: moves.map(({ uci }) => uci), played: played.map(({ uci }) => uci) };
}
