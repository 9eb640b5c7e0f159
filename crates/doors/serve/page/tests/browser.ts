/** Debian's Chromium, and pages that fail a test if anything is wrong in their console. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, type Locator, type Page, chromium } from 'playwright-core';

const PROGRAMS = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'];

export const DESKTOP = { viewport: { width: 1280, height: 860 } };
export const PHONE = { viewport: { width: 375, height: 760 }, hasTouch: true };

export async function launch(): Promise<Browser> {
  const executablePath = PROGRAMS.find((path) => path && existsSync(path));
  assert.ok(executablePath, 'no Chromium: apt-get install chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** Opens an address, lets `use` use the page, and checks that nothing was wrong in it. */
export async function withPage(
  browser: Browser,
  address: string,
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions = DESKTOP,
): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(address).origin && !request.url().startsWith('data:'))
      wrong.push(`a request to ${request.url()}`);
  });
  await page.goto(address);
  await settled(page);
  await use(page);
  assert.deepEqual(wrong, []);
  await context.close();
}

/** Waits until nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('.moves[aria-busy=false]');
  await page.waitForFunction(() => document.querySelector('.loading') === null);
}

/** Moves a piece by two clicks, as seen from White. */
export async function clickMove(page: Page, from: string, to: string): Promise<void> {
  for (const square of [from, to]) await page.mouse.click(...(await middleOf(page, square)));
  await told(page);
}

/** Moves a piece by the mouse, held down. */
export async function dragMove(page: Page, from: string, to: string): Promise<void> {
  await page.mouse.move(...(await middleOf(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await middleOf(page, to)), { steps: 5 });
  await page.mouse.up();
  await told(page);
}

/** The board tells of a move a moment after it. */
async function told(page: Page): Promise<void> {
  await page.waitForTimeout(20);
  await settled(page);
}

async function middleOf(page: Page, square: string): Promise<[number, number]> {
  const box = await page.locator('cg-board').boundingBox();
  assert.ok(box);
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
  const side = box.width / 8;
  return [box.x + (file + 0.5) * side, box.y + (7.5 - rank) * side];
}

/** The moves of the list, `1. e4 c5`. */
export async function playedLine(page: Page): Promise<string> {
  const plies = await page.locator('.line-moves .ply').allInnerTexts();
  return plies
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .join(' ')
    .replaceAll(/(\d+[.…]) ?/g, '$1 ');
}

/** The moves of the table, first to last. */
export async function tableMoves(page: Page): Promise<string[]> {
  const names = await page.locator('.moves tbody button.play').allInnerTexts();
  return names.map((name) => name.trim());
}

export function row(page: Page, move: string): Locator {
  return page.locator('.moves tbody tr').filter({ has: page.locator(`[data-key="play-${move}"]`) });
}
