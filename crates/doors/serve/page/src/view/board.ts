/** The board: legal moves by drag or click, steps by wheel, an arrow for the move that is pointed at. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key } from '@lichess-org/chessground/types';
import type { App } from '../app';
import { h } from '../dom';
import { pieces } from '../game/describe';
import { destinations, isCheck, promotes, turnOf } from '../game/rules';
import type { State } from '../state';
import { askPromotion } from './promotion';

/** Pixels of the wheel that are one step. */
const WHEEL_STEP = 40;

export class BoardView {
  readonly element: HTMLElement;
  private readonly ground: Api;

  constructor(private readonly app: App) {
    const board = h('div', { class: 'board', 'aria-hidden': 'true' });
    const words = h('p', { class: 'unseen', id: 'pieces' });
    this.element = h('div', { class: 'board-frame' }, board, words);
    this.ground = Chessground(board, {
      animation: { duration: 160 },
      highlight: { lastMove: true, check: true },
      movable: { free: false, showDests: true, events: { after: (from, to) => void this.played(from, to) } },
      premovable: { enabled: false },
      drawable: { brushes: BRUSHES },
    });
    board.addEventListener('wheel', this.wheel(), { passive: false });
    app.store.follow((state) => {
      this.show(state);
      words.textContent = pieces(state.place.fen);
    });
  }

  /** Draws an arrow along a move; null removes it. */
  point(uci: string | null): void {
    const shapes = uci
      ? [{ orig: uci.slice(0, 2) as Key, dest: uci.slice(2, 4) as Key, brush: 'pointed' }]
      : [];
    this.ground.setAutoShapes(shapes);
  }

  private show({ place, orientation }: State): void {
    const turn = turnOf(place.fen);
    const last = place.uci ? [place.uci.slice(0, 2) as Key, place.uci.slice(2, 4) as Key] : [];
    this.ground.set({
      fen: place.fen,
      orientation,
      turnColor: turn,
      check: isCheck(place.fen) ? turn : false,
      lastMove: last,
      movable: { color: turn, dests: destinations(place.fen) as Map<Key, Key[]> },
    });
    this.point(null);
  }

  private async played(from: string, to: string): Promise<void> {
    const { fen } = this.app.store.get().place;
    const role = promotes(fen, from, to) ? await askPromotion(turnOf(fen)) : '';
    if (role === null || !this.app.play(from + to + role)) this.show(this.app.store.get());
  }

  private wheel(): (event: WheelEvent) => void {
    let turned = 0;
    return (event) => {
      if (event.ctrlKey) return;
      event.preventDefault();
      turned += event.deltaY;
      if (Math.abs(turned) < WHEEL_STEP) return;
      if (turned > 0) this.app.forward();
      else this.app.back();
      turned = 0;
    };
  }
}

const BRUSHES = {
  green: { key: 'g', color: '#15781b', opacity: 1, lineWidth: 10 },
  red: { key: 'r', color: '#a32020', opacity: 1, lineWidth: 10 },
  blue: { key: 'b', color: '#1c5fa8', opacity: 1, lineWidth: 10 },
  yellow: { key: 'y', color: '#c98a00', opacity: 1, lineWidth: 10 },
  pointed: { key: 'p', color: '#0f6b5c', opacity: 0.85, lineWidth: 11 },
};
