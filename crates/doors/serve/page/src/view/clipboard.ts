/** Copies a text; also where the browser has no clipboard for pages that are not encrypted. */

import { h } from '../dom';
import { say } from './message';

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  say(`${what} copied`);
}

function copyBySelection(text: string): void {
  const area = h('textarea', { class: 'unseen', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
