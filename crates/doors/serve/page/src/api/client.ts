/** Questions to the server that the page came from. */

import type { Setting } from './answers';
import { keptToken } from './token';

/** What a request asks beside its path; values that are empty are left out. */
export type Query = Record<string, string | number | boolean | null | undefined | readonly string[]>;

/** The most positions of one `tabia/probes`, whose address has a limit. */
export const PROBES_MAX = 80;

/** What the server answered instead: its status, and its words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    words: string,
  ) {
    super(words);
  }
}

/** Questions that were asked before anyone needed the answers, by address. */
const early = new Map<string, Promise<unknown>>();

/**
 * Asks an artefact, or the default one and the server itself where `book` is null. An abort of `signal` rejects with
 * its reason, all else with an `Error` whose message is for people. The browser keeps answers, and asks whether they
 * still hold.
 */
export async function ask<T>(
  book: string | null,
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<T> {
  const address = addressOf(book, path, query);
  const started = early.get(address);
  early.delete(address);
  return (await (started ?? send(address, { signal }))) as T;
}

/** Asks a question whose answer will be needed soon. */
export function askEarly(book: string | null, path: string, query: Query): void {
  const address = addressOf(book, path, query);
  const answer = send(address, {});
  // Who needs the answer sees the error.
  answer.catch(() => undefined);
  early.set(address, answer);
}

/** The PGN of a game that an artefact keeps. */
export async function askGame(book: string | null, id: string): Promise<string> {
  const response = await fetch(addressOf(book, `tabia/games/${id}`, {}));
  if (!response.ok) throw new Refusal(response.status, 'The server does not have this game any more.');
  return response.text();
}

/** Sets a value of a move, with the token that was kept; throws a `Refusal` with 403 without one. */
export async function setValue(book: string | null, query: Query, setting: Setting): Promise<void> {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  const token = keptToken();
  if (token) headers.set('Authorization', `Bearer ${token}`);
  const body = JSON.stringify(setting);
  await send(addressOf(book, 'tabia/experience', query), { method: 'PUT', headers, body });
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

/** Values of a list have commas between them; only positions and the settings of a policy come one by one. */
function texts(name: string, value: Query[string]): readonly string[] {
  if (value === null || value === undefined || value === false) return [];
  if (typeof value !== 'object') return [String(value)];
  return name === 'set' || name === 'fen' ? value : [value.join(',')];
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
  const words = errorIn(body) ?? `The server answered ${response.status} ${response.statusText}.`;
  throw new Refusal(response.status, words);
}

function errorIn(body: unknown): string | null {
  const isError = typeof body === 'object' && body !== null && 'error' in body;
  return isError && typeof body.error === 'string' ? body.error : null;
}
