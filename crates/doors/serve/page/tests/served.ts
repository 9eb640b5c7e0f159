/** A server and a browser, for all tests of a file. */

import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch } from './browser';
import { type Server, startServer } from './server';

interface Served {
  server: Server;
  browser: Browser;
}

/** Starts both before the first test, and ends them after the last; they are there only in tests. */
export function served(): Served {
  const both = {} as Served;
  before(async () => {
    both.server = await startServer();
    both.browser = await launch();
  });
  after(async () => {
    await both.browser?.close();
    both.server?.stop();
  });
  return both;
}
