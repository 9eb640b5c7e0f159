/** Months in a row, those without games too; a long span is shown by quarter or by year. */

import type { Month, Outcomes } from '../api/answers';
import { month as named } from '../format';

export type Unit = 'month' | 'quarter' | 'year';

/** Months of each unit, the shortest first. */
const LENGTHS: readonly [Unit, number][] = [
  ['month', 1],
  ['quarter', 3],
  ['year', 12],
];

export interface Period extends Outcomes {
  label: string;
}

/** The periods of a span, first to last. */
export interface Periods {
  unit: Unit;
  labels: readonly string[];
  /** Sums months into the periods. */
  sum(months: readonly Month[]): Period[];
}

/** Cuts the span of some months into at most `countMax` periods, or into years. */
export function periodsOf(months: readonly Month[], countMax: number): Periods {
  const numbers = months.map(({ month }) => numberOf(month));
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const fits = ([, length]: readonly [Unit, number]): boolean =>
    Math.floor(last / length) - Math.floor(first / length) < countMax;
  const [unit, length] = LENGTHS.find(fits) ?? ['year', 12];
  const period = (number: number): number => Math.floor(number / length);
  const count = months.length === 0 ? 0 : period(last) - period(first) + 1;
  const labels = Array.from({ length: count }, (_, index) => labelOf(unit, (period(first) + index) * length));
  const sum = (some: readonly Month[]): Period[] => {
    const sums = labels.map((label): Period => ({ label, white: 0, draws: 0, black: 0 }));
    for (const { month, white, draws, black } of some) {
      const one = sums[period(numberOf(month)) - period(first)];
      if (!one) continue;
      one.white += white;
      one.draws += draws;
      one.black += black;
    }
    return sums;
  };
  return { unit, labels, sum };
}

/** Months since the year 0. */
function numberOf(month: string): number {
  const [year, number] = month.split('-').map(Number);
  return (year ?? 0) * 12 + (number ?? 1) - 1;
}

/** The name of the period that begins with a month. */
function labelOf(unit: Unit, month: number): string {
  const [year, index] = [Math.floor(month / 12), month % 12];
  if (unit === 'year') return String(year);
  if (unit === 'quarter') return `Q${index / 3 + 1} ${year}`;
  return named(`${year}-${String(index + 1).padStart(2, '0')}`);
}
