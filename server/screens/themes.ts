/** Colour schemes. `system` follows the device. */
export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** A cookie, so that the first response already has the right colours. */
export const THEME_COOKIE = 'theme';

export function parseTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? 'system';
}

/** Background colours of the page, as `--canvas` in `app/globals.css`. Browsers use them around the installed app. */
export const CANVAS = { light: '#f6f6f7', dark: '#101113' } as const;
