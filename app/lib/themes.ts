/** The colour schemes of the user menu; `system` follows the device. */
export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** The cookie that keeps the choice, so that the first byte of a page has the right colours. */
export const THEME_COOKIE = 'theme';

/** What a cookie or a menu item says, as a theme. */
export function readTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? 'system';
}
