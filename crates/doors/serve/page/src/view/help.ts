/** What keys and the mouse do. */

import { h } from '../dom';
import { openDialog } from './dialog';

const KEYS: [string, string][] = [
  ['← →', 'back and forward; the wheel over the board does the same'],
  ['↑ ↓', 'first and last position'],
  ['1 … 9', 'play the first, second … move of the table'],
  ['f', 'flip the board'],
  ['/', 'type a move, or paste a line, a FEN or a PGN'],
  ['Delete', 'remove the move and all after it'],
  ['?', 'this help'],
];

export function showHelp(): void {
  openDialog(
    'Help',
    'help',
    h(
      'p',
      {},
      'Play moves on the board or in the table. Branches stay in the list of moves, and the address holds the position.',
    ),
    h(
      'dl',
      {},
      KEYS.map(([keys, what]) => h('div', {}, h('dt', {}, keys), h('dd', {}, what))),
    ),
    h('p', {}, 'A FEN or a PGN can be pasted anywhere on the page. The right button draws on the board.'),
    h(
      'p',
      { class: 'faint' },
      'Tabia is free software under the GPL, version 3 or later. Board: chessground; rules: chessops; pieces by Colin M. L. Burnett. ',
      h('a', { href: '/page/licenses.txt' }, 'Licences'),
      ', ',
      h('a', { href: '/openapi.json' }, 'the API'),
    ),
  );
}
