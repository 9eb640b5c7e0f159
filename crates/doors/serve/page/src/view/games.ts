/** Games that were played from the position: the best rated and the newest that the table keeps. */

import type { Games, PlayedGame } from '../api/answers';
import { ask, askGame } from '../api/client';
import { type Loaded, Loader } from '../api/loader';
import { type App, query } from '../app';
import { type Child, fill, h } from '../dom';
import { read } from '../game/read';
import { type Place, rootOf } from '../game/tree';
import { bookOf } from '../state';
import { say } from './message';

/** Games of each kind. */
const GAMES = 4;

export class GamesView {
  readonly element = h('section', { class: 'shown-games card', 'aria-label': 'Games', hidden: true });
  private readonly loader = new Loader<{ games: Games | null }>((loaded) => this.show(loaded));
  /** Artefacts that keep no games, which are not asked again. */
  private readonly without = new Set<string | null>();

  constructor(private readonly app: App) {
    app.store.follow((state) => {
      const book = bookOf(state);
      if (this.without.has(book)) {
        this.element.hidden = true;
        return;
      }
      const asked = { ...query(state), top: GAMES, recent: GAMES };
      this.loader.load(JSON.stringify([book, asked]), async (signal) => {
        const answer = await ask<{ games: Games | null }>(book, 'tabia/games', asked, signal);
        if (!answer.games) this.without.add(book);
        return answer;
      });
    });
  }

  private show({ answer, loading }: Loaded<{ games: Games | null }>): void {
    const games = answer?.games;
    this.element.hidden = !games || games.top.length === 0;
    this.element.classList.toggle('loading', loading);
    if (games)
      fill(this.element, this.list('Best rated games', games.top), this.list('Newest games', games.recent));
  }

  private list(title: string, games: readonly PlayedGame[]): Child {
    return h(
      'div',
      {},
      h('h2', {}, title),
      h(
        'ul',
        {},
        games.map((game) => this.row(game)),
      ),
    );
  }

  private row(game: PlayedGame): HTMLElement {
    const result = game.winner === 'white' ? '1–0' : game.winner === 'black' ? '0–1' : '½–½';
    const players = [game.white, game.black].map(({ name, rating }) => (rating ? `${name} ${rating}` : name));
    const open = (): void => void this.open(game).catch((error: unknown) => say(String(error)));
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'link', 'data-key': `game-${game.id}`, on: { click: open } },
        players.join(' – '),
      ),
      h('span', { class: 'faint' }, `${game.san}, ${result}, ${game.month ?? game.year ?? 'date unknown'}`),
    );
  }

  /** Shows a game on the board, in the position that was looked at. */
  private async open(game: PlayedGame): Promise<void> {
    const state = this.app.store.get();
    const reading = read(await askGame(bookOf(state), game.id), state.place);
    if ('wrong' in reading) return say(reading.wrong);
    this.app.go(samePosition(rootOf(reading.place), state.place));
  }
}

/** The place of a game's main line that has a position, or its beginning. */
function samePosition(root: Place, wanted: Place): Place {
  const position = (place: Place): string => place.fen.split(' ').slice(0, 4).join(' ');
  for (let place: Place | undefined = root; place; place = place.children[0]) {
    if (position(place) === position(wanted)) return place;
  }
  return root;
}
