/** An SLA target in a form: whole hours if possible, otherwise minutes. An empty amount means no target. */
export type FormTarget = { amount: string; unit: 'minutes' | 'hours' };

const MINUTES_PER_HOUR = 60;

export function toFormTarget(minutes: number | null): FormTarget {
  if (minutes === null) return { amount: '', unit: 'hours' };
  return minutes % MINUTES_PER_HOUR === 0
    ? { amount: String(minutes / MINUTES_PER_HOUR), unit: 'hours' }
    : { amount: String(minutes), unit: 'minutes' };
}

/** Converts form input to minutes: null for empty, and 0 (which the server refuses) for non-numeric input. */
export function toMinutes({ amount, unit }: { amount: string; unit: string }): number | null {
  if (amount.trim() === '') return null;
  const minutes = Number(amount) * (unit === 'hours' ? MINUTES_PER_HOUR : 1);
  return Number.isFinite(minutes) ? minutes : 0;
}
