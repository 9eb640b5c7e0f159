/** Months in a row, those without games too; a long span is shown by year. */

import type { Month, Outcomes } from '../api/answers';
import { month as named } from '../format';

/** Spans of more months than this are shown by year. */
const MONTHS_MAX = 60;

export interface Period extends Outcomes {
  label: string;
}

/** A function that sums months into the periods of the whole span, first to last. */
export function periodsOf(months: readonly Month[]): {
  labels: string[];
  of(months: readonly Month[]): Period[];
} {
  const numbers = months.map(({ month }) => numberOf(month));
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const isByYear = last - first + 1 > MONTHS_MAX;
  const period = (number: number): number => (isByYear ? Math.floor(number / 12) : number);
  const [start, count] = [period(first), months.length === 0 ? 0 : period(last) - period(first) + 1];
  const labels = Array.from({ length: count }, (_, index) => label(start + index, isByYear));
  return {
    labels,
    of: (some) => {
      const sums = labels.map((text): Period => ({ label: text, white: 0, draws: 0, black: 0 }));
      for (const { month, white, draws, black } of some) {
        const sum = sums[period(numberOf(month)) - start];
        if (!sum) continue;
        sum.white += white;
        sum.draws += draws;
        sum.black += black;
      }
      return sums;
    },
  };
}

/** Months since the year 0. */
function numberOf(month: string): number {
  const [year, number] = month.split('-').map(Number);
  return (year ?? 0) * 12 + (number ?? 1) - 1;
}

function label(period: number, isYear: boolean): string {
  if (isYear) return String(period);
  return named(`${Math.floor(period / 12)}-${String((period % 12) + 1).padStart(2, '0')}`);
}
