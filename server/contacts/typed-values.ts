import { isDay } from '#server/core/day.ts';

// Values of custom fields as people type them. Scripts of pages import this file.

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,6})?$/;

/** Returns a typed number as the database writes it: `+007.50` becomes `7.5`. Null for anything else. */
export function parseNumber(typed: string): string | null {
  const text = typed.replaceAll(/[\s_]/g, '').replace('\u2212', '-');
  if (!NUMBER.test(text)) return null;
  const isNegative = text.startsWith('-');
  const [whole = '', decimals = ''] = text.replace(/^[+-]/, '').split('.');
  const digits = whole.replace(/^0+(?=\d)/, '');
  const rest = withoutTrailingZeros(decimals);
  const number = rest === '' ? digits : `${digits}.${rest}`;
  return isNegative && /[1-9]/.test(number) ? `-${number}` : number;
}

function withoutTrailingZeros(digits: string): string {
  return digits.endsWith('0') ? withoutTrailingZeros(digits.slice(0, -1)) : digits;
}

/** Returns a day such as `2026-11-30` if it is in the calendar, otherwise null. */
export function parseDay(typed: string): string | null {
  return isDay(typed) ? typed : null;
}
