'use server';

import { action } from '#app/data/action.ts';

/** Returns the files of a saved reply for a draft. */
export const keepSavedFiles = action(null, ({ savedReplies }, id: string) => savedReplies.keepFiles({ id }));
