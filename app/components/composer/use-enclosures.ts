'use client';

import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useStore } from 'zustand';
import type { ChangeFiles } from '#app/components/composer/add-saved-files.ts';
import { addSavedReply } from '#app/components/composer/insert-saved-reply.ts';
import {
  type ComposerStore,
  createComposerStore,
  type DraftOf,
  draftFile,
  draftKey,
  EMPTY_DRAFT,
} from '#app/components/drafts/composer-store.ts';
import { type Copies, currentCopies } from '#app/components/drafts/copies.ts';
import { composer } from '#app/components/drafts/drafts.ts';
import type { UploadedFile } from '#app/components/drafts/upload-file.ts';
import { toast } from '#app/components/ui/toast.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

type Options = {
  workspaceId: string;
  filesMax: number;
  /** The draft that survives leaving its conversation. A form has none: its files and copies live as long as it. */
  draftOf?: DraftOf;
  /** Suggested recipients of a copy (Cc). */
  suggestedCc: readonly string[];
  /** Files that a form starts with. */
  initialFiles?: readonly UploadedFile[] | undefined;
};

const FORM = 'form';

/** Files of a draft, and for emails its Cc and Bcc recipients. */
export function useEnclosures({ workspaceId, filesMax, draftOf, suggestedCc, initialFiles = [] }: Options) {
  const key = draftOf ? draftKey(draftOf) : FORM;
  const [drafts] = useState<ComposerStore>(() => (draftOf ? composer : formStore(initialFiles)));
  const { files, copies: changed } = useStore(drafts.store, (state) => state.drafts[key] ?? EMPTY_DRAFT);
  const copies = currentCopies(changed, suggestedCc);
  const changeCopies = (change: Partial<Copies>) =>
    drafts.edit(key, () => ({ copies: { copies: { ...copies, ...change }, suggested: null } }));
  const changeFiles: ChangeFiles = (change) => drafts.edit(key, (draft) => ({ files: change(draft.files) }));
  const remove = (id: string) => changeFiles((all) => all.filter((file) => file.key !== id));

  const add = async (file: File) => {
    const id = uuidv7();
    changeFiles((all) => [...all, { key: id, name: file.name, sizeBytes: file.size, uploaded: null }]);
    const upload = await import('#app/components/drafts/upload-file.ts')
      .then(({ uploadFile }) => uploadFile(workspaceId, file))
      .catch(() => ({ done: false as const, problem: notReached().problem }));
    if (upload.done) {
      const stored = { ...draftFile(upload.file), key: id };
      changeFiles((all) => all.map((each) => (each.key === id ? stored : each)));
    } else {
      remove(id);
      toast.error(`${file.name} was not added`, { description: upload.problem });
    }
  };
  const uploaded = files.flatMap((file) => file.uploaded ?? []);

  return {
    copies,
    showAllCopies: () => changeCopies({ shown: 'all' }),
    changeCopies,
    files,
    uploaded,
    isUploading: files.length > uploaded.length,
    addFiles: (picked: File[]) => {
      const room = Math.max(0, filesMax - files.length);
      for (const file of picked.slice(0, room)) void add(file);
      if (picked.length > room) toast.error(`A message can have up to ${filesMax} files.`);
    },
    removeFile: remove,
    /** Remembers an inserted saved reply and adds copies of its files. */
    addSavedReply: (saved: OfferedSavedReply) => addSavedReply(drafts, key, { saved, filesMax }),
  };
}

export type EnclosuresDraft = ReturnType<typeof useEnclosures>;

/** Creates the store of one form. */
function formStore(files: readonly UploadedFile[]): ComposerStore {
  const store = createComposerStore(null, null);
  store.edit(FORM, () => ({ files: files.map(draftFile) }));
  return store;
}
