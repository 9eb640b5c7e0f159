/** Keys of the page, and texts that are pasted on it. */

import type { App } from '../app';
import { goToText } from './controls';
import { showHelp } from './help';

export function listenToKeys(app: App, playNth: (index: number) => void): void {
  const actions: Record<string, () => void> = {
    ArrowLeft: () => app.back(),
    ArrowRight: () => app.forward(),
    ArrowUp: () => app.first(),
    ArrowDown: () => app.last(),
    f: () => app.flip(),
    '/': () => document.getElementById('field')?.focus(),
    '?': showHelp,
    Delete: () => app.cut(),
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusy(event.target))
      return;
    const nth = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : null;
    const action = nth === null ? actions[event.key] : () => playNth(nth);
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain');
    if (text && !isBusy(event.target)) void goToText(app, text);
  });
}

/** Whether keys belong to what has the focus: a field, a choice, tabs, what can be scrolled, or a dialog. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true;
  return (
    target instanceof Element && target.closest('input, textarea, select, [role=tab], .scroll:focus') !== null
  );
}
