'use client';

import { useState } from 'react';
import { useStore } from 'zustand';
import { EMPTY_DRAFT } from '#app/components/drafts/composer-state.ts';
import {
  type ComposerStore,
  createComposerStore,
  type DraftOf,
  draftFile,
  draftKey,
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
  const changeFiles = drafts.changeFiles(key);
  const uploaded = files.flatMap((file) => file.uploaded ?? []);

  return {
    copies,
    showAllCopies: () => changeCopies({ shown: 'all' }),
    changeCopies,
    files,
    uploaded,
    changeFiles,
    isUploading: files.length > uploaded.length,
    /** Uploads files. `use` gets those that were added, for example to show them as pictures in the text. */
    addFiles: (picked: File[], use?: (added: UploadedFile[]) => void) =>
      withParts(async ({ addFiles }) => {
        const { added } = await addFiles(drafts, key, { workspaceId, filesMax, picked });
        use?.(added);
      }),
    removeFile: (id: string) => changeFiles((all) => all.filter((file) => file.key !== id)),
    /** Remembers an inserted saved reply and adds copies of its files. */
    addSavedReply: (saved: OfferedSavedReply) =>
      withParts(({ addSavedReply }) => addSavedReply(drafts, key, { saved, filesMax })),
  };
}

/** Uses the parts that are loaded once the page is idle, or now. */
function withParts(use: (parts: typeof import('#app/components/composer/rare-parts.ts')) => void): void {
  import('#app/components/composer/rare-parts.ts').then(use, () =>
    toast.error('The files were not added', { description: notReached().problem }),
  );
}

/** Returns the pasted files. None for copied text: office programs add a picture of it, file managers the name of a copied file. */
export function pastedFiles({ files, types }: Pick<DataTransfer, 'files' | 'types'>): File[] {
  const isText = types.includes('text/plain') && (types.includes('text/html') || types.includes('text/rtf'));
  return isText ? [] : [...files];
}

export type EnclosuresDraft = ReturnType<typeof useEnclosures>;

/** Creates the store of one form. */
function formStore(files: readonly UploadedFile[]): ComposerStore {
  const store = createComposerStore(null, null);
  store.edit(FORM, () => ({ files: files.map(draftFile) }));
  return store;
}
