/** Scales and marks of the charts. */

/** Fewer games than this are not drawn: they say too little. */
export const GAMES_MIN = 20;

/** From numbers of the data to places on the picture. */
export type Scale = (value: number) => number;

export function linear(from: readonly [number, number], to: readonly [number, number]): Scale {
  const [low, high] = from;
  const [start, end] = to;
  const span = high - low || 1;
  return (value) => start + ((value - low) / span) * (end - start);
}

/** Round numbers of a range, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** An SVG path through points; a null is a gap. */
export function pathOf(points: readonly (readonly [number, number] | null)[]): string {
  let isPenDown = false;
  const steps = points.map((point) => {
    const command =
      point === null ? '' : `${isPenDown ? 'L' : 'M'}${point[0].toFixed(1)} ${point[1].toFixed(1)}`;
    isPenDown = point !== null;
    return command;
  });
  return steps.join('');
}
