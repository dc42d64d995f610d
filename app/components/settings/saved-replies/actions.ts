'use server';

import type { UploadedFile } from '#app/components/drafts/upload-file.ts';
import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const SAVED_REPLIES = '/settings/saved-replies';

type Saved = { id: string; updatedAt: Date };

/** Adds a saved reply, or changes the one that the form showed. */
export const saveSavedReply = action(
  SAVED_REPLIES,
  async (
    { savedReplies },
    { shown, files }: { shown: Saved | null; files: UploadedFile[] },
    form: FormData,
  ) => {
    const saved = {
      name: textOf(form, 'name'),
      folder: textOf(form, 'folder'),
      content: textOf(form, 'content'),
      isPrivate: textOf(form, 'visibility') === 'private',
      files,
    };
    if (shown === null) await savedReplies.add(saved);
    else await savedReplies.update({ ...shown, ...saved });
  },
);

export const deleteSavedReply = action(SAVED_REPLIES, async ({ savedReplies }, id: string) => {
  await savedReplies.delete({ id });
});
