'use server';

import { openScreens } from '#app/data/open-screens.ts';

/** The tags in use in the open workspace, for suggestions; none when they could not be read. */
export async function knownTags(): Promise<string[]> {
  try {
    return await (await openScreens()).inbox.tags();
  } catch {
    return [];
  }
}
