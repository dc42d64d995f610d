import { change } from '#app/components/live/page-data.ts';

/** Returns the files of a saved reply for a draft. */
export const keepSavedFiles = change(({ savedReplies }, id: string) => savedReplies.keepFiles.mutate({ id }));
