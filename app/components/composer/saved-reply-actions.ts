'use server';

import { action } from '#app/data/action.ts';

/** Copies the files of a saved reply for a draft, and returns the copies. */
export const copySavedFiles = action(null, ({ savedReplies }, id: string) => savedReplies.copyFiles({ id }));
