/** Which piece a pawn becomes. */

import { h } from '../dom';
import type { Color } from '../game/rules';
import { openDialog } from './dialog';

const ROLES = [
  ['q', 'queen'],
  ['r', 'rook'],
  ['b', 'bishop'],
  ['n', 'knight'],
] as const;

/** The letter of the chosen piece, as UCI has it; null if none was chosen. */
export function askPromotion(color: Color): Promise<string | null> {
  return new Promise((resolve) => {
    const choice = ROLES.map(([letter, role]) => {
      const picture = h('span', { class: `cg-wrap picture ${color} ${role}` });
      const piece = document.createElement('piece');
      piece.className = `${color} ${role}`;
      picture.append(piece);
      const label = `Promote to a ${role}`;
      return h(
        'button',
        {
          type: 'button',
          autofocus: letter === 'q',
          'aria-label': label,
          on: { click: () => choose(letter) },
        },
        picture,
      );
    });
    const dialog = openDialog('Promote to', 'promotion', h('div', { class: 'pieces' }, choice));
    const choose = (letter: string): void => {
      resolve(letter);
      dialog.close();
    };
    dialog.addEventListener('close', () => resolve(null));
  });
}
