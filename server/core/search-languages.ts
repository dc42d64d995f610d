/**
 * Languages whose words PostgreSQL reduces to stems, by the name of its text search configuration, with their English names. `simple`
 * finds words as they are written, for example in Chinese, Japanese and Thai. The check `workspaces_search_language` has the same
 * list.
 */
export const SEARCH_LANGUAGES = {
  arabic: 'Arabic',
  armenian: 'Armenian',
  basque: 'Basque',
  catalan: 'Catalan',
  danish: 'Danish',
  dutch: 'Dutch',
  english: 'English',
  finnish: 'Finnish',
  french: 'French',
  german: 'German',
  greek: 'Greek',
  hindi: 'Hindi',
  hungarian: 'Hungarian',
  indonesian: 'Indonesian',
  irish: 'Irish',
  italian: 'Italian',
  lithuanian: 'Lithuanian',
  nepali: 'Nepali',
  norwegian: 'Norwegian',
  portuguese: 'Portuguese',
  romanian: 'Romanian',
  russian: 'Russian',
  serbian: 'Serbian',
  spanish: 'Spanish',
  swedish: 'Swedish',
  tamil: 'Tamil',
  turkish: 'Turkish',
  yiddish: 'Yiddish',
  simple: 'Another language',
} as const;

export type SearchLanguage = keyof typeof SEARCH_LANGUAGES;

export function isSearchLanguage(language: string): language is SearchLanguage {
  return Object.hasOwn(SEARCH_LANGUAGES, language);
}
