import type { Theme } from '#server/screens/themes.ts';

export { CANVAS, parseTheme, THEME_COOKIE, type Theme, themes } from '#server/screens/themes.ts';

export const themeNames: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };
