/** Starts the page: asks what is served, and puts the parts together. */

import { readAddress } from './address';
import type { Artefact } from './api/answers';
import { ask, askEarly } from './api/client';
import { takeToken } from './api/token';
import { App, query } from './app';
import { h } from './dom';
import type { Tab } from './state';
import { BoardView } from './view/board';
import { ComparePanel } from './view/compare';
import { controls } from './view/controls';
import { filtersView } from './view/filters';
import { GamesView } from './view/games';
import { header } from './view/header';
import { HolesPanel } from './view/holes';
import { listenToKeys } from './view/keyboard';
import { lineView } from './view/line';
import { messageBox } from './view/message';
import { openingView } from './view/opening';
import { type Panel, panelsView } from './view/panels';
import { PoliciesPanel } from './view/policies';
import { ReviewPanel } from './view/review';
import { MovesTable } from './view/table';
import { TrendsPanel } from './view/trends';

async function start(): Promise<void> {
  takeToken();
  const addressed = readAddress(location.search);
  askEarly(addressed.book, 'tabia/probe', query(addressed));
  const signal = new AbortController().signal;
  const { artefacts } = await ask<{ artefacts: Artefact[] }>(null, 'tabia/artefacts', {}, signal);
  const app = new App(artefacts);
  const board = new BoardView(app);
  const opening = openingView(app);
  const table = new MovesTable(app, {
    point: (uci) => board.point(uci),
    answered: (probe) => opening.answered(probe),
  });
  const games = new GamesView(app);
  const panels: Record<Tab, Panel> = {
    trends: new TrendsPanel(app),
    compare: new ComparePanel(app, (uci) => board.point(uci)),
    holes: new HolesPanel(app),
    review: new ReviewPanel(app),
    policies: new PoliciesPanel(app),
  };
  document.body.append(
    header(app),
    h(
      'main',
      {},
      h('div', { class: 'left' }, board.element, controls(app), lineView(app)),
      h(
        'div',
        { class: 'right' },
        opening.element,
        filtersView(app),
        table.element,
        games.element,
        panelsView(app, panels),
      ),
    ),
    messageBox(),
  );
  listenToKeys(app, (index) => table.playNth(index));
}

start().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  document.body.append(h('main', {}, h('p', { class: 'problem', role: 'alert' }, text)));
});
