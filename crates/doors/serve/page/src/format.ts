/** Numbers as people read them. */

const WHOLE = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** `1,234,567`. */
export function whole(number: number): string {
  return WHOLE.format(number);
}

/** `1 game`, `1,234 games`. */
export function games(number: number): string {
  return `${whole(number)} ${number === 1 ? 'game' : 'games'}`;
}

/** `1.23M`. */
export function short(number: number): string {
  return number < 10_000 ? WHOLE.format(number) : SHORT.format(number);
}

/** `43 %`, `0.4 %`, `<0.1 %`; a share of 0 to 1. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value === 0 || value >= 99.95) return `${Math.round(value)} %`;
  if (value < 0.1) return '<0.1 %';
  return value < 9.95 ? `${value.toFixed(1)} %` : `${value.toFixed(0)} %`;
}

/** `53.2`; a score of 0 to 1 in percent. */
export function score(share: number): string {
  return (100 * share).toFixed(1);
}

/** `+0.32`, with a minus sign that is as wide as the plus. */
export function signed(value: number, digits = 2): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return value < 0 ? `−${text}` : `+${text}`;
}

/** A value of a policy: whole numbers as they are, others with four digits. */
export function value(number: number): string {
  if (Number.isInteger(number)) return whole(number);
  return Math.abs(number) >= 1000 ? whole(Math.round(number)) : String(Number(number.toPrecision(4)));
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Mar 2014` of `2014-03`. */
export function month(text: string): string {
  const [year, number] = text.split('-');
  return `${MONTHS[Number(number) - 1] ?? ''} ${year ?? ''}`.trim();
}

const SPEEDS: Record<string, string> = { ultraBullet: 'UltraBullet' };

/** `Blitz` of `blitz`. */
export function speed(name: string): string {
  return SPEEDS[name] ?? capital(name);
}

/** A word with a capital letter. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The lower bounds of the rating bands, as `tabia count --by rating-band` has them. */
const BANDS = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500, 2800, 3200];

/** `1600–1799`, or `3200+` for the last band. */
export function bandName(band: number): string {
  const next = BANDS.find((other) => other > band);
  if (next === undefined) return `${band}+`;
  return band === 0 ? `<${next}` : `${band}–${next - 1}`;
}
