/** Where games left a book: the page finds what `tabia review` finds. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type BookMoves, type PlayedGame, followGame, playersOf, readGames } from '../src/game/review';
import { playedLine, withPage } from './browser';
import { served } from './served';

const both = served();

const game = (sans: string): PlayedGame => ({
  white: 'A',
  black: 'B',
  result: '1-0',
  start: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  sans: sans.split(' '),
});

test('games are read with their players', () => {
  const games = readGames(
    '[White "A"]\n[Black "B"]\n\n1. e4 (1. d4 d5) e5 {x} 1-0\n\n[White "C"]\n[Black "A"]\n\n*\n\n' +
      '[White "C"]\n[Black "A"]\n[Result "1/2-1/2"]\n\n1. c4 1/2-1/2\n',
  );
  assert.deepEqual(
    games.map(({ white, sans }) => [white, ...sans]),
    [
      ['A', 'e4', 'e5'],
      ['C', 'c4'],
    ],
  );
  assert.deepEqual(playersOf(games), [
    ['A', 2],
    ['B', 1],
    ['C', 1],
  ]);
});

test('a move that is ruled out is none of the book', async () => {
  const start = game('e4').start.split(' ')[0] ?? '';
  const lookUp = (fen: string): Promise<{ all: string[]; played: string[] }> =>
    Promise.resolve(
      fen.startsWith(start)
        ? { all: ['e2e4', 'd2d4'], played: ['d2d4'] }
        : { all: ['e7e5'], played: ['e7e5'] },
    );
  const exit = await followGame(game('e4 e5'), 'white', lookUp);
  assert.deepEqual([exit.departure, exit.played, exit.book], ['other-opening', 'e4', ['d4']]);
  assert.equal((await followGame(game('e4 e5'), 'black', lookUp)).departure, 'completed');
});

test('a game in which the player has the other side than the book is not followed', async () => {
  const lookUp = (): Promise<BookMoves> => Promise.resolve({ all: [], played: [], side: 'white' });
  assert.equal((await followGame(game('e4 e5'), 'black', lookUp)).departure, 'other-side');
  assert.equal((await followGame(game('e4 e5'), 'white', lookUp)).departure, 'other-opening');
});

/** The page and the program follow the same games in the same book. */
test('a file is followed as `tabia review` follows it', async () => {
  const player = 'Glaurung 2.2 (27000 nodes)';
  const options = ['--book', 'mine.tabia', '--player', player, '--top', '10', '--json'];
  const { review } = JSON.parse(both.server.tabia('review', 'engines.pgn', ...options));
  await withPage(both.browser, `${both.server.address}/?tab=review`, async (page) => {
    await page.locator('.review input[type=file]').setInputFiles(join(both.server.folder, 'engines.pgn'));
    await page.locator('.review h3').first().waitFor();
    await page.locator('.review select').selectOption(player);
    await page.getByText(`games of ${player}`).waitFor();
    const numbers = await page.locator('.review h3').allTextContents();
    const expected = review.departures
      .filter(({ games }: { games: number }) => games > 0)
      .map(({ games }: { games: number }) => games);
    assert.deepEqual(
      numbers.map((text) => Number(text.replace(/.*: |,| games?/g, ''))),
      expected,
    );
    const rows = await page.locator('.review li button').allTextContents();
    const lines = review.departures.flatMap(({ places }: { places: unknown[] }) => places);
    assert.equal(rows.length, lines.length);
    await page.locator('.review li button').first().click();
    assert.notEqual(await playedLine(page), '');
  });
});
