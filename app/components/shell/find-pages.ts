import type { SettingsGroup, SettingsPage } from '#app/components/shell/pages.ts';

/** Returns the pages that have all words of the search, best first; null without a search. */
export function findPages(groups: SettingsGroup[], search: string): SettingsPage[] | null {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const matching = groups.flatMap((group) =>
    group.pages.filter((page) => {
      const text = `${page.name} ${page.words ?? ''} ${group.name}`.toLowerCase();
      return words.every((word) => text.includes(word));
    }),
  );
  const inName = (page: SettingsPage) => words.every((word) => page.name.toLowerCase().includes(word));
  return [...matching.filter(inName), ...matching.filter((page) => !inName(page))];
}
