/** The token that edits from elsewhere need; kept while the tab is open. */

const KEY = 'tabia-token';

export function keptToken(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function keepToken(token: string): void {
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    // Without storage it is asked for again.
  }
}
