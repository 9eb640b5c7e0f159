/** Questions to the server that the page came from. */

import type { Setting } from './answers';

/** What a request asks beside its path; values that are empty are left out. */
export type Query = Record<string, string | number | boolean | null | undefined | readonly string[]>;

const KEPT_MAX = 200;

export class Client {
  /** The last answers, the latest at the end. */
  private readonly kept = new Map<string, unknown>();

  /**
   * Asks an artefact, or the server where `book` is null; an answer that is kept is not asked for again.
   * An abort of `signal` rejects with its reason, all else with an `Error` whose message is for people.
   */
  async get<T>(book: string | null, path: string, query: Query, signal: AbortSignal): Promise<T> {
    const address = addressOf(book, path, query);
    if (this.kept.has(address)) {
      const answer = this.kept.get(address) as T;
      this.keep(address, answer);
      return answer;
    }
    const answer = (await send(address, { signal })) as T;
    this.keep(address, answer);
    return answer;
  }

  /** Sets a value of a move. What was kept is asked for again. */
  async set(book: string | null, query: Query, setting: Setting): Promise<void> {
    await send(addressOf(book, 'tabia/experience', query), {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(setting),
    });
    this.kept.clear();
  }

  private keep(address: string, answer: unknown): void {
    this.kept.delete(address);
    this.kept.set(address, answer);
    const oldest = this.kept.keys().next();
    if (this.kept.size > KEPT_MAX && !oldest.done) this.kept.delete(oldest.value);
  }
}

function addressOf(book: string | null, path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const text of texts(name, value)) if (text) parameters.append(name, text);
  }
  const prefix = book === null ? '' : `/x/${encodeURIComponent(book)}`;
  const asked = parameters.toString();
  return `${prefix}/${path}${asked ? `?${asked}` : ''}`;
}

/** Values of a list have commas between them; only the settings of a policy come one by one. */
function texts(name: string, value: Query[string]): readonly string[] {
  if (value === null || value === undefined || value === false) return [];
  if (typeof value !== 'object') return [String(value)];
  return name === 'set' ? value : [value.join(',')];
}

async function send(address: string, request: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(address, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new Error('The server does not answer. Is `tabia serve` still running?');
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  throw new Error(errorIn(body) ?? `The server answered ${response.status} ${response.statusText}.`);
}

function errorIn(body: unknown): string | null {
  const isError = typeof body === 'object' && body !== null && 'error' in body;
  return isError && typeof body.error === 'string' ? body.error : null;
}
