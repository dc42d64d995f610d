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
  const uploaded = files.flatMap((file) => file.uploaded ?? []);

  return {
    copies,
    showAllCopies: () => changeCopies({ shown: 'all' }),
    changeCopies,
    files,
    uploaded,
    isUploading: files.length > uploaded.length,
    addFiles: (picked: File[]) => void addFiles(drafts, key, { workspaceId, filesMax, picked }),
    removeFile: (id: string) => changeFiles(drafts, key, (all) => all.filter((file) => file.key !== id)),
    /** Remembers an inserted saved reply and adds copies of its files. */
    addSavedReply: (saved: OfferedSavedReply) => addSavedReply(drafts, key, { saved, filesMax }),
  };
}

/**
 * Adds files to a draft and uploads them, up to the maximum of a message. Toasts say which were not added.
 * @returns whether all were added
 */
export async function addFiles(
  drafts: ComposerStore,
  key: string,
  { workspaceId, filesMax, picked }: Pick<Options, 'workspaceId' | 'filesMax'> & { picked: readonly File[] },
): Promise<boolean> {
  const room = Math.max(0, filesMax - drafts.get(key).files.length);
  const added = picked.slice(0, room).map((file) => addFile(drafts, key, { workspaceId, file }));
  if (picked.length > room) toast.error(`A message can have up to ${filesMax} files.`);
  return (await Promise.all(added)).every(Boolean) && picked.length <= room;
}

async function addFile(
  drafts: ComposerStore,
  key: string,
  { workspaceId, file }: { workspaceId: string; file: File },
): Promise<boolean> {
  const id = uuidv7();
  const added = { key: id, name: file.name, sizeBytes: file.size, uploaded: null };
  changeFiles(drafts, key, (all) => [...all, added]);
  const upload = await import('#app/components/drafts/upload-file.ts')
    .then(({ uploadFile }) => uploadFile(workspaceId, file))
    .catch(() => ({ done: false as const, problem: notReached().problem }));
  const stored = upload.done ? [{ ...draftFile(upload.file), key: id }] : [];
  changeFiles(drafts, key, (all) => all.flatMap((each) => (each.key === id ? stored : each)));
  if (!upload.done) toast.error(`${file.name} was not added`, { description: upload.problem });
  return upload.done;
}

function changeFiles(drafts: ComposerStore, key: string, change: Parameters<ChangeFiles>[0]): void {
  drafts.edit(key, ({ files }) => ({ files: change(files) }));
}

export type EnclosuresDraft = ReturnType<typeof useEnclosures>;

/** Creates the store of one form. */
function formStore(files: readonly UploadedFile[]): ComposerStore {
  const store = createComposerStore(null, null);
  store.edit(FORM, () => ({ files: files.map(draftFile) }));
  return store;
}
