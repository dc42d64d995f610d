import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isCountry } from '#server/contacts/countries.ts';

/**
 * Countries in which a mobile number is written in two ways. WhatsApp knows most numbers of Brazil without the ninth digit, and
 * those of Mexico and Argentina with an additional 1 or 9 after the country code.
 */
const TWO_FORMS: readonly [pattern: RegExp, key: string][] = [
  [/^\+55(\d\d)([6-9]\d{7})$/, '+55$19$2'],
  [/^\+521(\d{10})$/, '+52$1'],
  [/^\+549(\d{10})$/, '+54$1'],
];

/** Longest stored phone number, in UTF-16 units. */
const PHONE_MAX_UNITS = 120;

/**
 * Returns the form in which phone numbers compare: E.164, with one form of numbers that are written in two (docs/rulings.md
 * 3.42).
 * @param country ISO 3166-1 code, for numbers without a country code
 * @returns null when the text is no phone number, or has no country code and `country` is null
 */
export function phoneKey(phone: string, country: string | null = null): string | null {
  if (phone.length > PHONE_MAX_UNITS) return null;
  const parsed = parsePhoneNumberFromString(phone, isCountry(country) ? country : undefined);
  if (!parsed) return null;
  const { number, ext } = parsed;
  const twin = TWO_FORMS.find(([pattern]) => pattern.test(number));
  if (!twin && !parsed.isPossible()) return null;
  const key = twin ? number.replace(...twin) : number;
  return ext === undefined ? key : `${key};ext=${ext}`;
}
