/** Scores, numbers as they are shown, and the scales of charts. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodsOf } from '../src/chart/months';
import { linear, pathOf, ticks } from '../src/chart/scale';
import { bandName, month, percent, short, signed, value } from '../src/format';
import { marginOf, scoreOf } from '../src/score';

test('a score is of a side', () => {
  const results = { white: 30, draws: 40, black: 30 };
  assert.equal(scoreOf(results, 'white'), 0.5);
  assert.equal(scoreOf({ white: 3, draws: 0, black: 1 }, 'black'), 0.25);
  assert.equal(scoreOf({ white: 0, draws: 0, black: 0 }, 'white'), null);
});

test('few games are never certain, and many are', () => {
  assert.ok(marginOf({ white: 1, draws: 0, black: 0 }) > 0.35);
  const many = marginOf({ white: 4000, draws: 2000, black: 4000 });
  assert.ok(Math.abs(many - 1.96 * Math.sqrt(0.2 / 10_000)) < 1e-4);
  assert.ok(marginOf({ white: 0, draws: 10_000, black: 0 }) < 0.001);
});

test('numbers are shown short and plain', () => {
  assert.deepEqual([0, 0.0004, 0.043, 0.0996, 0.5, 1].map(percent), [
    '0 %',
    '<0.1 %',
    '4.3 %',
    '10 %',
    '50 %',
    '100 %',
  ]);
  assert.deepEqual([999, 9999, 12_345, 1_234_567].map(short), ['999', '9,999', '12.3K', '1.23M']);
  assert.deepEqual(
    [0.314, -0.8, 0, -0.001].map((number) => signed(number)),
    ['+0.31', '−0.80', '0.00', '0.00'],
  );
  assert.deepEqual([48, 0.333333, 52.5466, 123456.7].map(value), ['48', '0.3333', '52.55', '123,457']);
  assert.equal(month('2014-03'), 'Mar 2014');
});

test('rating bands have their upper bound', () => {
  assert.deepEqual([0, 1600, 2200, 3200].map(bandName), ['<1000', '1600–1799', '2200–2499', '3200+']);
});

test('scales and their marks', () => {
  const y = linear([0, 10], [100, 0]);
  assert.deepEqual([0, 5, 10].map(y), [100, 50, 0]);
  assert.deepEqual(
    ticks(0, 0.6, 4).map((tick) => tick.toFixed(1)),
    ['0.0', '0.2', '0.4', '0.6'],
  );
  assert.equal(pathOf([[0, 1], null, [2, 3], [4, 5]]), 'M0.0 1.0M2.0 3.0L4.0 5.0');
});

test('months without games are gaps, and long spans are shown by quarter or year', () => {
  const one = (text: string): { month: string; white: number; draws: number; black: number } => ({
    month: text,
    white: 1,
    draws: 0,
    black: 0,
  });
  const short = [one('2013-11'), one('2014-02')];
  const months = periodsOf(short, 30);
  assert.deepEqual([...months.labels], ['Nov 2013', 'Dec 2013', 'Jan 2014', 'Feb 2014']);
  assert.deepEqual(
    months.sum(short).map(({ white }) => white),
    [1, 0, 0, 1],
  );
  assert.deepEqual([...periodsOf(short, 3).labels], ['Q4 2013', 'Q1 2014']);
  const long = [one('2001-05'), one('2001-06'), one('2010-01')];
  const years = periodsOf(long, 30);
  assert.deepEqual([years.unit, years.labels[0], years.labels.at(-1)], ['year', '2001', '2010']);
  assert.equal(years.sum(long)[0]?.white, 2);
  assert.deepEqual([...periodsOf([], 30).labels], []);
});
