/** Pictures on buttons: strokes in the colour of the text. */

import { s } from '../dom';

const PATHS = {
  first: 'M18 6l-6 6 6 6M10 6l-6 6 6 6',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  last: 'M6 6l6 6-6 6M14 6l6 6-6 6',
  flip: 'M7 4v15M3.5 15.5L7 19l3.5-3.5M17 20V5M13.5 8.5L17 5l3.5 3.5',
  promote: 'M12 20V5M6 11l6-6 6 6',
  cut: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  link: 'M9.5 14.5l5-5M11 7l2.5-2.5a4 4 0 0 1 6 6L17 13M13 17l-2.5 2.5a4 4 0 0 1-6-6L7 11',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9.5 9.5a2.5 2.5 0 1 1 3.7 2.2c-.8.5-1.2 1-1.2 1.8M12 16.8v.2',
  theme: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18M12 7h4M12 12h6M12 17h4',
  edit: 'M4 20h4L19 9l-4-4L4 16z',
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGElement {
  const path = s('path', { d: PATHS[name] });
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, path);
}
