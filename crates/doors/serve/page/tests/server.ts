/** `tabia serve` on artefacts made of the sample, for a test. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(process.env['TABIA_ROOT'] ?? '../../..');
const STARTED_MS = 10_000;

export interface Server {
  /** `http://127.0.0.1:PORT`. */
  address: string;
  /** The token that edits need, as the server printed it. */
  token: string;
  /** The folder of the artefacts and of `engines.pgn`. */
  folder: string;
  /** Runs tabia there; what it printed. */
  tabia(...options: string[]): string;
  stop(): void;
}

/**
 * Serves `mine.tabia`, a book of engines' games whose moves can be edited, and `club.table`, which was counted by
 * speed, rating band and month and keeps games as examples. With `TABIA_PAGE`, the server at that
 * address is taken, as it printed it.
 */
export async function startServer(): Promise<Server> {
  const running = process.env['TABIA_PAGE'];
  const nothing = { folder: '', tabia: () => '', stop: () => undefined };
  if (running) return { ...partsOf(running), ...nothing };
  const folder = mkdtempSync(join(tmpdir(), 'tabia-page-'));
  const binary = resolve(process.env['TABIA'] ?? join(ROOT, 'target/release/tabia'));
  const run = (program: string, ...options: string[]): void => {
    execFileSync(program, options, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  run('python3', join(ROOT, 'data/tag_sample.py'), join(ROOT, 'data/sample.pgn'), folder);
  run(binary, 'build', 'engines.pgn', '-o', 'mine.tabia', '--min-games', '2', '--quiet');
  run(
    binary,
    'count',
    'club.pgn',
    '-o',
    'club.table',
    '--by',
    'speed,rating-band,month',
    '--ratings',
    '--examples',
    '3',
    '--examples-min-games',
    '2',
    '--quiet',
  );
  const options = [
    'serve',
    'mine.tabia',
    'club.table',
    '--experience',
    'x.parquet',
    '--listen',
    '127.0.0.1:0',
  ];
  const child = spawn(binary, options, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => {
    child.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', stop);
  const tabia = (...options: string[]): string =>
    execFileSync(binary, options, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return { ...partsOf(await addressOf(child)), folder, tabia, stop };
}

/** An address and the token in its fragment. */
function partsOf(printed: string): { address: string; token: string } {
  const [address, token] = printed.split('/#token=');
  return { address: address ?? '', token: token ?? '' };
}

/** The address that the server prints when it is ready. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    const printed: string[] = [];
    const fail = (why: string): void => failed(new Error(`${why}: ${printed.join('\n')}`));
    const timer = setTimeout(() => fail('the server does not start'), STARTED_MS);
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface(stream).on('line', (line) => {
        printed.push(line);
        const address = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(line)?.[0];
        if (!address) return;
        clearTimeout(timer);
        found(address);
      });
    }
    child.on('exit', (code) => fail(`the server ended with ${code}`));
  });
}
