// Bundles the page into built/, and its tests into tests/built/.
//
//   node build.mjs           the page
//   node build.mjs tests     the tests

import { build } from 'esbuild';
import { copyFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

async function buildPage() {
  const folder = `${here}built`;
  await build({
    absWorkingDir: here,
    entryPoints: { page: 'src/main.ts', style: 'style.css' },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  await copyFile(`${here}index.html`, `${folder}/index.html`);
  await copyFile(`${here}icon.svg`, `${folder}/icon.svg`);
}

async function buildTests() {
  await build({
    absWorkingDir: here,
    entryPoints: ['tests/*.test.ts', 'tests/screenshots.ts'],
    outdir: `${here}tests/built`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node18',
    logLevel: 'warning',
  });
}

await (process.argv[2] === 'tests' ? buildTests() : buildPage());
