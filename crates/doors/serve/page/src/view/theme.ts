/** The switch between light and dark; without it, the page follows the system. */

import { h } from '../dom';
import { icon } from './icons';

const KEPT = 'tabia-theme';

type Theme = 'light' | 'dark';

export function themeSwitch(): HTMLElement {
  show(kept());
  const click = (): void => {
    const theme = isDark() ? 'light' : 'dark';
    show(theme);
    try {
      localStorage.setItem(KEPT, theme);
    } catch {
      // Without storage, a reload follows the system again.
    }
  };
  const label = 'Light or dark';
  return h(
    'button',
    { type: 'button', class: 'plain', 'aria-label': label, title: label, on: { click } },
    icon('theme'),
  );
}

function show(theme: Theme | null): void {
  if (theme) document.documentElement.dataset['theme'] = theme;
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function kept(): Theme | null {
  try {
    const theme = localStorage.getItem(KEPT);
    return theme === 'light' || theme === 'dark' ? theme : null;
  } catch {
    return null;
  }
}
