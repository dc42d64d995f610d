/** Time before now: `'18m'`, `'5h'`, `'1d 4h'`, `'1d 4h 30m'`. */
export type Ago = Minutes | Hours | `${number}d` | `${number}d ${Hours}`;
type Minutes = `${number}m`;
type Hours = `${number}h` | `${number}h ${Minutes}`;

export function timestampOf(now: Date, ago: Ago): Date {
  let minutes = 0;
  for (const [, amount, unit] of ago.matchAll(/(\d+)([mhd])/g)) {
    minutes += Number(amount) * (unit === 'd' ? MINUTES_A_DAY : unit === 'h' ? MINUTES_AN_HOUR : 1);
  }
  return addMinutes(now, -minutes);
}

export function addMinutes(timestamp: Date, minutes: number): Date {
  return new Date(timestamp.getTime() + minutes * MS_A_MINUTE);
}

export function addMilliseconds(timestamp: Date, milliseconds: number): Date {
  return new Date(timestamp.getTime() + milliseconds);
}

const MS_A_MINUTE = 60_000;
const MINUTES_AN_HOUR = 60;
const MINUTES_A_DAY = 24 * MINUTES_AN_HOUR;
