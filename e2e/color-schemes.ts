/** Appearances in which every screen is checked. */
export const COLOR_SCHEMES = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 860 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 860 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;
