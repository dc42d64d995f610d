import { setTheme } from '#app/components/shell/actions.ts';
import type { Theme } from '#app/lib/themes.ts';

/** Applies the theme immediately and stores it in a cookie. */
export function applyTheme(theme: Theme): Promise<void> {
  document.documentElement.dataset.theme = theme;
  return setTheme(theme);
}
