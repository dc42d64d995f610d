const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns `45 s`, `12 min`, `3 h 5 min` or `2 d 4 h`; a dash without a value. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < MINUTE) return `${seconds} s`;
  // Each unit begins where the one before would be rounded up to it.
  if (seconds < HOUR - MINUTE / 2) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < DAY - MINUTE / 2)
    return twoParts(seconds, { unit: HOUR, name: 'h', part: MINUTE, partName: 'min' });
  return twoParts(seconds, { unit: DAY, name: 'd', part: HOUR, partName: 'h' });
}

/** Steps of an axis: times that are written as one number. */
const STEPS = [
  1,
  5,
  15,
  30,
  ...[1, 5, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
];
const STEPS_MAX = 4;

/** Returns the ticks of an axis for times up to a number of seconds, from 0 to the first one that is not below it. */
export function durationTicks(max: number): number[] {
  const step = STEPS.find((one) => max <= one * STEPS_MAX) ?? Math.ceil(max / STEPS_MAX / DAY) * DAY;
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_tick, index) => index * step);
}

function twoParts(
  seconds: number,
  { unit, name, part, partName }: { unit: number; name: string; part: number; partName: string },
): string {
  const parts = Math.round(seconds / part);
  const [whole, rest] = [Math.floor((parts * part) / unit), parts % (unit / part)];
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${partName}`;
}

/** Returns a share such as `92%`; a dash of nothing. Only all is 100%, and only none is 0%. */
export function formatShare(part: number, of: number): string {
  if (of === 0) return '–';
  const percent = Math.round((part / of) * 100);
  return `${part === 0 || part === of ? percent : Math.min(99, Math.max(1, percent))}%`;
}

/** Returns how a value differs from the one before, such as `12% more than before`, or null if one is missing. */
export function formatChange(
  value: number | null,
  before: number | null,
  words: { more: string; less: string } = { more: 'more', less: 'less' },
): string | null {
  if (value === null || before === null || before === 0) return null;
  const percent = Math.round((value / before - 1) * 100);
  if (percent === 0) return 'No change';
  return `${Math.abs(percent).toLocaleString('en-GB')}% ${percent > 0 ? words.more : words.less} than before`;
}
