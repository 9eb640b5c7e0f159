/** Charts of the position: how often moves were played over time, and scores by month and rating band. */

import type { Probe } from '../api/answers';
import { ask } from '../api/client';
import { type Loaded, Loader } from '../api/loader';
import { type App, query } from '../app';
import { plotArea, pointsMax } from '../chart/frame';
import { periodsOf } from '../chart/months';
import { popularityChart } from '../chart/popularity';
import { scoresChart } from '../chart/scores';
import { type Child, fill, h } from '../dom';
import { bandName, capital } from '../format';
import { type State, bookOf, current } from '../state';
import type { Panel } from './panels';
import { problem } from './problem';

export class TrendsPanel implements Panel {
  readonly element = h('div', { class: 'trends' });
  private readonly loader = new Loader<Probe>((loaded) => this.fill(loaded));

  constructor(private readonly app: App) {}

  show(state: State): void {
    const artefact = current(state);
    if (!artefact?.groups.months.length && !artefact?.groups.ratings.length) {
      this.loader.forget();
      return fill(
        this.element,
        h(
          'p',
          { class: 'faint' },
          `${artefact?.name ?? 'This'} was not counted by months or rating bands. Count a table by them to see trends:`,
        ),
        h('pre', {}, 'tabia count games.pgn -o games.table --by month,rating-band'),
      );
    }
    const asked = { ...query(state), history: 'moves', bands: true };
    const key = JSON.stringify([artefact.name, asked]);
    this.loader.load(key, (signal) => ask(bookOf(state), 'tabia/probe', asked, signal));
  }

  private fill({ answer, error, loading }: Loaded<Probe>): void {
    this.element.classList.toggle('loading', loading);
    if (error) return fill(this.element, problem(this.app, error));
    if (answer) fill(this.element, charts(answer));
  }
}

function charts(probe: Probe): Child {
  const [history, bands] = [probe.history ?? [], probe.bands ?? []];
  const periods = periodsOf(history, pointsMax(plotArea()));
  const shown = [
    popularityChart(periods, history, probe.moves),
    scoresChart(`White’s score by ${periods.unit}`, capital(periods.unit), periods.sum(history), true),
    scoresChart(
      'White’s score by rating band',
      'Rating',
      bands.map((band) => ({ ...band, label: bandName(band.band) })),
      false,
    ),
  ].filter((one) => one !== null);
  if (shown.length > 0) return shown;
  return h(
    'p',
    { class: 'faint' },
    'Too few games here for a trend: at least twenty games in each of two rating bands or spans of time.',
  );
}
