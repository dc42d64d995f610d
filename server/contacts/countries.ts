import { type CountryCode, getCountries, isSupportedCountry } from 'libphonenumber-js/min';

const NAMES = new Intl.DisplayNames(['en-GB'], { type: 'region' });

/** A country by its ISO 3166-1 code. */
export type Country = { code: string; name: string };

/** Countries whose phone numbers can be read, by name. */
export const COUNTRIES: readonly Country[] = getCountries()
  .map(countryOf)
  .toSorted((a, b) => a.name.localeCompare(b.name, 'en-GB'));

/** TypeScript's library does not declare `getTimeZones` yet. */
type LocaleWithTimeZones = Intl.Locale & { getTimeZones?: () => string[] | undefined };

export function isCountry(code: string | null): code is CountryCode {
  return code !== null && isSupportedCountry(code);
}

/**
 * Returns the country of a time zone, by the Unicode CLDR data of the runtime.
 * @param timeZone an IANA name, also a deprecated one; any other text has no country
 */
export function countryOfTimeZone(timeZone: string): Country | null {
  const name = canonicalName(timeZone);
  if (name === null) return null;
  byTimeZone ??= listTimeZones();
  const code = byTimeZone.get(name);
  return code ? countryOf(code) : null;
}

function canonicalName(timeZone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Built at the first use, because it takes some 50 ms. */
let byTimeZone: Map<string, CountryCode> | undefined;

function listTimeZones(): Map<string, CountryCode> {
  return new Map(
    getCountries().flatMap((country) => {
      const locale: LocaleWithTimeZones = new Intl.Locale('und', { region: country });
      return (locale.getTimeZones?.() ?? []).map((timeZone) => [timeZone, country] as const);
    }),
  );
}

function countryOf(code: CountryCode): Country {
  return { code, name: NAMES.of(code) ?? code };
}
