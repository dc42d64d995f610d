/** The languages offered by name; any other is given by its code. */
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

/** A language code in English; what is not one is shown as it was given. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(['en-GB'], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/**
 * The languages of a select, by name: the common ones, and that of the contact.
 * @param current the contact's code, or the empty text
 */
export function languageChoices(current: string): { code: string; name: string }[] {
  const codes = current === '' || COMMON.includes(current) ? COMMON : [...COMMON, current];
  return codes
    .map((code) => ({ code, name: languageName(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en-GB'));
}
