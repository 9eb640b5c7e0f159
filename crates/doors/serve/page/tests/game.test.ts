/** The tree of moves, and what is read into it and written from it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read } from '../src/game/read';
import { START, destinations, play, promotes } from '../src/game/rules';
import {
  type Place,
  advance,
  branchesOf,
  cut,
  endOf,
  follow,
  grow,
  isMainLine,
  lineTo,
  makeMainLine,
  numberOf,
  rootAt,
} from '../src/game/tree';
import { lineText, pgnOf } from '../src/game/write';

function reached(text: string, here: Place = rootAt(START)): Place {
  const reading = read(text, here);
  assert.ok('place' in reading, `${text}: ${'wrong' in reading ? reading.wrong : ''}`);
  return reading.place;
}

function wrong(text: string, here: Place = rootAt(START)): string {
  const reading = read(text, here);
  assert.ok('wrong' in reading, text);
  return reading.wrong;
}

test('castling is written as the king’s move, and read in both ways', () => {
  const fen = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
  for (const [text, uci, san] of [
    ['e1g1', 'e1g1', 'O-O'],
    ['e1h1', 'e1g1', 'O-O'],
    ['0-0-0', 'e1c1', 'O-O-O'],
    ['O-O', 'e1g1', 'O-O'],
  ] as const) {
    const played = play(fen, text);
    assert.deepEqual([played?.uci, played?.san], [uci, san], text);
  }
  assert.ok(destinations(fen).get('e1')?.includes('g1'));
  assert.equal(play(fen, 'e1e3'), null);
});

test('only pawns promote', () => {
  const fen = '8/4P3/8/7k/8/8/8/K4R2 w - - 0 1';
  assert.equal(promotes(fen, 'e7', 'e8'), true);
  assert.equal(promotes(fen, 'f1', 'f8'), false);
  assert.equal(play(fen, 'e7e8n')?.san, 'e8=N');
  assert.equal(play(fen, 'e7e8'), null);
});

test('branches are kept, and the same move is the same place', () => {
  const root = rootAt(START);
  const sicilian = follow(root, ['e2e4', 'c7c5']);
  const open = follow(root, ['e2e4', 'e7e5']);
  assert.equal(root.children.length, 1);
  assert.equal(follow(root, ['e4', 'c5']), sicilian);
  assert.equal(isMainLine(open), false);
  makeMainLine(open);
  assert.equal(isMainLine(open), true);
  assert.equal(endOf(root), open);
  assert.equal(cut(open), open.parent);
  assert.equal(endOf(root), sicilian);
});

test('a tree is kept and grown again', () => {
  const root = rootAt(START);
  follow(root, ['e2e4', 'c7c5', 'g1f3']);
  follow(root, ['e2e4', 'e7e5']);
  const again = rootAt(START);
  grow(again, branchesOf(root));
  assert.equal(pgnOf(again), pgnOf(root));
});

test('moves, lines, FENs and games are read', () => {
  assert.equal(reached('e4').uci, 'e2e4');
  assert.equal(reached('nf3').san, 'Nf3');
  assert.equal(lineText(reached('1. e4 c5 2.Nf3')), '1. e4 c5 2. Nf3');
  assert.equal(lineText(reached('e2e4, c7c5')), '1. e4 c5');
  assert.equal(
    lineText(reached('e4 {best by test} e5 $1 2. Nf3! (2. f4 exf4) Nc6 *')),
    '1. e4 e5 2. Nf3 Nc6',
  );
  const fen = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
  assert.equal(reached(fen).fen, fen);
  assert.equal(reached('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -').fen, fen);
  const game = reached('[Event "?"]\n[White "A"]\n\n1. d4 d5 (1... Nf6 2. c4) 2. c4 1/2-1/2');
  assert.equal(lineText(game), '1. d4 d5 2. c4');
  assert.equal(lineTo(game)[0]?.children.length, 2);
});

test('moves continue from where one is, or from the start', () => {
  const here = reached('1. e4 c5');
  assert.equal(lineText(reached('Nf3 d6', here)), '1. e4 c5 2. Nf3 d6');
  assert.equal(lineText(reached('d4 d5', here)), '1. e4 c5 2. d4 d5');
  assert.equal(lineText(reached('1. d4 d5', here)), '1. d4 d5');
});

test('what cannot be read is named', () => {
  assert.match(wrong(''), /Type a move/);
  assert.match(wrong('hello'), /no move, line, FEN or PGN/);
  assert.match(wrong('e5'), /^e5 is not legal/);
  assert.match(wrong('1. e4 e5 2. Ke3'), /^Ke3 is not legal/);
  assert.match(wrong('8/8/8/8/8/8/8/8 w - - 0 1'), /not a legal position/);
});

test('text that is wrong changes nothing', () => {
  const root = rootAt(START);
  wrong('1. e4 e5 2. Ke3', root);
  assert.equal(root.children.length, 0);
});

test('a tree is written with its branches', () => {
  const root = rootAt(START);
  follow(root, ['e4', 'c5', 'Nf3']);
  follow(root, ['e4', 'e5', 'Nf3', 'Nc6']);
  follow(root, ['d4', 'd5']);
  const movetext = pgnOf(root).trim().split('\n').at(-1);
  assert.equal(movetext, '1. e4 (1. d4 d5) 1... c5 (1... e5 2. Nf3 Nc6) 2. Nf3 *');
  const again = reached(pgnOf(root));
  assert.equal(pgnOf(again), pgnOf(root));
});

test('numbers of moves follow the FEN', () => {
  const root = rootAt('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7');
  const move = advance(root, 'c5');
  assert.equal(move && numberOf(move), '7…');
  assert.equal(move && lineText(move), '7… c5');
});
