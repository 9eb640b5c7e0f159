/** A dialog over the page: Escape, the cross and a click beside it close it. */

import { type Child, h } from '../dom';

let count = 0;

export function openDialog(title: string, kind: string, ...children: Child[]): HTMLDialogElement {
  const id = `dialog-${++count}`;
  const cross = h('button', { class: 'cross', type: 'button', 'aria-label': 'Close' }, '×');
  const head = h('header', {}, h('h2', { id }, title), cross);
  const body = h('div', { class: 'dialog-body' }, ...children);
  const dialog = h('dialog', { class: kind, 'aria-labelledby': id }, head, body);
  cross.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
