// Bundles the page into built/, which is kept in the repository, and its tests into tests/built/.
//
//   node build.mjs           the page
//   node build.mjs tests     the tests

import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Licences that Tabia's own, GPL-3.0-or-later, can be combined with. */
const COMPATIBLE = ['GPL-3.0-or-later', 'MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0'];

async function buildPage() {
  const { metafile, outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: { page: 'src/main.ts', style: 'style.css' },
    outdir: `${here}built`,
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const { path, contents } of outputFiles) await replace(path, contents);
  for (const name of ['index.html', 'icon.svg'])
    await replace(`${here}built/${name}`, await readFile(`${here}${name}`));
  const inputs = Object.keys(metafile.inputs);
  await replace(`${here}built/licenses.txt`, Buffer.from(await licenses(inputs)));
  await replace(`${here}built/sources.sha256`, Buffer.from(await checksums(inputs)));
}

/** Checksums, for `sha256sum --check`, of what is built and of what it is built from. */
async function checksums(inputs) {
  const built = ['index.html', 'icon.svg', 'licenses.txt', 'page.js', 'style.css'];
  const ours = inputs.filter((path) => !path.startsWith('node_modules/'));
  const others = ['build.mjs', 'package-lock.json', 'index.html', 'icon.svg'];
  const paths = [...built.map((name) => `built/${name}`), ...ours, ...others].sort();
  const lines = paths.map(async (path) => {
    const digest = createHash('sha256').update(await readFile(`${here}${path}`));
    return `${digest.digest('hex')}  ${path}\n`;
  });
  return (await Promise.all(lines)).join('');
}

/** Writes a file if its content is new, so that the binary is not built again for nothing. */
async function replace(path, content) {
  const old = await readFile(path).catch(() => null);
  if (!old?.equals(content)) await writeFile(path, content);
}

/** The packages whose files are in the bundle, with their licences; one that is not compatible ends the build. */
async function licenses(inputs) {
  const names = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const texts = [...new Set(names)].sort().map(async (name) => {
    const folder = `${here}node_modules/${name}`;
    const { version, license, repository } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
    if (!COMPATIBLE.includes(license)) throw new Error(`${name} has the licence ${license}`);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file && license !== 'GPL-3.0-or-later' ? `\n${await readFile(`${folder}/${file}`, 'utf8')}` : '';
    return `${name} ${version}: ${license}, ${repository?.url ?? repository ?? ''}\n${text}`;
  });
  return `${PIECES}\nThe page of Tabia, GPL-3.0-or-later, contains:\n\n${(await Promise.all(texts)).join('\n')}`;
}

const PIECES = `The pieces are those of Colin M. L. Burnett, which chessground contains (GPL-2.0-or-later).\n`;

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
