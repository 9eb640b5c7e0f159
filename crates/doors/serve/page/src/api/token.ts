/** The token that edits need; kept while the tab is open, and never in an address that is shown or copied. */

const KEY = 'tabia-token';
/** What the fragment of an address with a token begins with. */
const FRAGMENT = '#token=';

/** The token of this page, also where the browser keeps nothing for it. */
let current: string | null = null;

export function keptToken(): string | null {
  try {
    return current ?? sessionStorage.getItem(KEY);
  } catch {
    return current;
  }
}

/** Keeps a token, or the token of an address that is given whole, as the server prints it. */
export function keepToken(text: string): void {
  const at = text.indexOf(FRAGMENT);
  current = at < 0 ? text : text.slice(at + FRAGMENT.length);
  try {
    sessionStorage.setItem(KEY, current);
  } catch {
    // Without storage, a reload forgets it.
  }
}

/** Takes the token out of the page's address, now and whenever one is put there. */
export function takeToken(): void {
  take();
  window.addEventListener('hashchange', take);
}

function take(): void {
  if (!location.hash.startsWith(FRAGMENT)) return;
  keepToken(location.hash);
  history.replaceState(history.state, '', location.pathname + location.search);
}
