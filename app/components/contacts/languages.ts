/** Languages selectable by name. Other languages are typed by code. */
const COMMON = [
  'ar',
  'bg',
  'ca',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'et',
  'fi',
  'fr',
  'he',
  'hi',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'nb',
  'nl',
  'pl',
  'pt',
  'ro',
  'ru',
  'sk',
  'sl',
  'sr',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh',
];

/** Returns the English name of a language code, or the input for an invalid code. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(['en-GB'], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/**
 * Returns the options of a select: the common languages and the contact's, by name.
 * @param current the contact's code, or an empty string
 */
export function languageChoices(current: string): { code: string; name: string }[] {
  const codes = current === '' || COMMON.includes(current) ? COMMON : [...COMMON, current];
  return codes
    .map((code) => ({ code, name: languageName(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en-GB'));
}
