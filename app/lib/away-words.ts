import { dateFormat } from '#app/lib/format-time.ts';

type Away = { until: Date | null };

/** Says that a teammate is away: `Away`, or `Away until 4 Dec`, the day on which they are back. */
export function awayWords({ until }: Away, timeZone: string): string {
  if (until === null) return 'Away';
  return `Away until ${dateFormat(timeZone, { day: 'numeric', month: 'short' }).format(until)}`;
}

/** Returns a teammate's name for a list of choices: `Ada Lovelace · Away until 4 Dec`. */
export function nameWithAway(
  { name, away }: { name: string; away?: Away | null | undefined },
  timeZone: string,
): string {
  return away ? `${name} · ${awayWords(away, timeZone)}` : name;
}
