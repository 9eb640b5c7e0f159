/** Where the numbers of a move came from: its games, their inputs, and who taught what. */

import type { Why } from '../api/answers';
import { type Child, h } from '../dom';
import { signed, whole } from '../format';

export function origin(why: Why): Child {
  const { sources, keeps } = why.counted;
  return [
    h('h3', {}, `Where the numbers of ${why.san} came from`),
    why.games === undefined
      ? h('p', {}, 'The book does not have the move.')
      : h(
          'p',
          {},
          `${whole(why.games)} games: White won ${whole(why.white ?? 0)}, ${whole(why.draws ?? 0)} were drawn, Black won ${whole(why.black ?? 0)}.`,
        ),
    sources.length > 0 &&
      h('p', { class: 'faint' }, `Counted from ${sources.join(', ')}${keeps && `; keeps ${keeps}`}.`),
    why.known.map((known) =>
      h(
        'ul',
        { class: 'known' },
        known.learn !== undefined &&
          h('li', {}, `Learned value ${signed(known.learn)} pawns`, taught(known.sources, 'learn')),
        known.own &&
          h(
            'li',
            {},
            `Own games: ${known.own.wins} won, ${known.own.draws} drawn, ${known.own.losses} lost`,
            taught(known.sources, 'own'),
          ),
        known.user_value !== undefined &&
          h('li', {}, `Set by hand: ${known.mark ?? known.user_value}`, taught(known.sources, 'set')),
        known.priority !== undefined && h('li', {}, `Priority ${known.priority}`),
        known.eval !== undefined &&
          h(
            'li',
            {},
            `Search: ${signed(known.eval)} at depth ${known.depth ?? '?'}`,
            taught(known.sources, 'search'),
          ),
        !known.playable && h('li', {}, 'It may not be played.'),
      ),
    ),
  ];
}

function taught(
  sources: { source: string; value: string; count: number; last?: string }[],
  what: string,
): string {
  const named = sources.filter((source) => source.value === what);
  if (named.length === 0) return '';
  return ` (${named.map(({ source, count, last }) => `${source}: ${whole(count)}${last ? `, last ${last}` : ''}`).join('; ')})`;
}
