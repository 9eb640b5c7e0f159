/** Pictures of the page: the README's, and those to look at. Options: the README's picture, a folder for the others. */

import { mkdirSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { DESKTOP, PHONE, launch, settled, withPage } from './browser';
import { startServer } from './server';

interface View {
  name: string;
  path: string;
  options: BrowserContextOptions;
  prepare?(page: Page): Promise<void>;
}

const DARK = { ...DESKTOP, colorScheme: 'dark' } as const;
const README: View = {
  name: 'readme',
  path: '/?book=club&play=e2e4,c7c5,g1f3',
  options: { viewport: { width: 1140, height: 715 } },
  prepare: (page) => page.locator('[data-key^="play-"]').first().hover(),
};

const openFirst = async (page: Page, selector: string): Promise<void> => {
  await page.locator(selector).first().click();
  await settled(page);
};

const VIEWS: View[] = [
  { name: 'start', path: '/', options: DESKTOP },
  { name: 'dark', path: '/?book=club&play=e2e4,c7c5', options: DARK },
  { name: 'trends', path: '/?book=club&tab=trends&play=e2e4', options: DESKTOP },
  { name: 'trends-dark', path: '/?book=club&tab=trends', options: DARK },
  { name: 'compare', path: '/?tab=compare&play=e2e4', options: DESKTOP },
  { name: 'holes', path: '/?tab=holes&with=club', options: DARK },
  { name: 'phone', path: '/?book=club&play=e2e4,e7e5,g1f3', options: PHONE },
  { name: 'phone-dark', path: '/?tab=compare&play=e2e4', options: { ...PHONE, colorScheme: 'dark' } },
  { name: 'phone-trends', path: '/?book=club&tab=trends', options: PHONE },
  {
    name: 'why',
    path: '/?tab=policies&play=e2e4',
    options: DESKTOP,
    prepare: (page) => openFirst(page, '[data-key^="part-crafty-"]'),
  },
  {
    name: 'why-phone',
    path: '/?tab=policies&play=e2e4',
    options: PHONE,
    prepare: (page) => openFirst(page, '[data-key^="part-wilson-"]'),
  },
  { name: 'edit', path: '/', options: DARK, prepare: (page) => openFirst(page, '[data-key^="edit-"]') },
  { name: 'help', path: '/', options: DESKTOP, prepare: (page) => page.keyboard.press('?') },
  {
    name: 'branches',
    path: '/',
    options: DESKTOP,
    prepare: async (page) => {
      const text = '1. e4 c5 (1... e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5) 3... a6) 2. Nf3 d6 3. d4 cxd4 4. Nxd4';
      await page.getByRole('textbox').fill(text);
      await page.getByRole('textbox').press('Enter');
      await settled(page);
    },
  },
];

const [readme, folder] = process.argv.slice(2);
const server = await startServer();
const browser = await launch();
if (folder) mkdirSync(folder, { recursive: true });
for (const { name, path, options, prepare } of [README, ...(folder ? VIEWS : [])]) {
  const picture = name === README.name ? readme : `${folder}/${name}.png`;
  const take = async (page: Page): Promise<void> => {
    await prepare?.(page);
    await page.waitForTimeout(400);
    const isLong = options.viewport === PHONE.viewport && !prepare;
    if (picture) await page.screenshot({ path: picture, fullPage: isLong });
  };
  await withPage(browser, `${server.address}${path}`, take, options);
}
await browser.close();
server.stop();
