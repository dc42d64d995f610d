/** An SLA target as a form shows it: whole hours where they are, else minutes; an empty amount is none. */
export type ShownTarget = { amount: string; unit: 'minutes' | 'hours' };

const MINUTES_OF_HOUR = 60;

/** A target in minutes as it is shown. */
export function inUnit(minutes: number | null): ShownTarget {
  if (minutes === null) return { amount: '', unit: 'hours' };
  return minutes % MINUTES_OF_HOUR === 0
    ? { amount: String(minutes / MINUTES_OF_HOUR), unit: 'hours' }
    : { amount: String(minutes), unit: 'minutes' };
}

/** What was typed in minutes: null when it was left empty, 0 (which is refused) for what is no number. */
export function inMinutes({ amount, unit }: { amount: string; unit: string }): number | null {
  if (amount.trim() === '') return null;
  const minutes = Number(amount) * (unit === 'hours' ? MINUTES_OF_HOUR : 1);
  return Number.isFinite(minutes) ? minutes : 0;
}
