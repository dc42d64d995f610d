'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { v7 as uuidv7 } from 'uuid';
import { splitAddresses } from '#app/components/inbox/composer/split-addresses.ts';
import { type UploadedFile, uploadFile } from '#app/components/inbox/composer/upload-file.ts';
import type { ComposerView, Enclosures } from '#server/inbox/messages/views.ts';

/** A file that was added to a reply; `uploaded` is null while it is on its way. */
export type DraftFile = { key: string; name: string; sizeBytes: number; uploaded: UploadedFile | null };

const NO_COPIES = { isShown: false, cc: '', bcc: '' };

/** What a reply that is being written carries besides its text: files, and by email who gets a copy. */
export function useEnclosures({ workspaceId, filesMax }: ComposerView) {
  const [copies, setCopies] = useState(NO_COPIES);
  const [files, setFiles] = useState<DraftFile[]>([]);
  const remove = (key: string) => setFiles((all) => all.filter((file) => file.key !== key));

  const add = async (file: File) => {
    const key = uuidv7();
    setFiles((all) => [...all, { key, name: file.name, sizeBytes: file.size, uploaded: null }]);
    const upload = await uploadFile(workspaceId, file);
    if (upload.done) {
      const { name, sizeBytes } = upload.file;
      const stored = { key, name, sizeBytes, uploaded: upload.file };
      setFiles((all) => all.map((each) => (each.key === key ? stored : each)));
    } else {
      remove(key);
      toast.error(`${file.name} was not added`, { description: upload.problem });
    }
  };

  return {
    copies,
    changeCopies: (changes: Partial<typeof NO_COPIES>) => setCopies((all) => ({ ...all, ...changes })),
    files,
    isUploading: files.some(({ uploaded }) => uploaded === null),
    addFiles: (picked: File[]) => {
      const room = Math.max(0, filesMax - files.length);
      for (const file of picked.slice(0, room)) void add(file);
      if (picked.length > room) toast.error(`A message can have up to ${filesMax} files.`);
    },
    removeFile: remove,
    /** Empties all of it, and returns what goes with the reply. */
    take: (): Enclosures => {
      setCopies(NO_COPIES);
      setFiles([]);
      return {
        cc: splitAddresses(copies.cc),
        bcc: splitAddresses(copies.bcc),
        files: files.flatMap(({ uploaded }) => uploaded ?? []),
      };
    },
    /** Puts back what was not sent, beside what was added since. */
    restore: ({ cc, bcc, files: back }: Enclosures) => {
      setFiles((all) => [
        ...back.map((uploaded) => ({ ...uploaded, key: uploaded.id, uploaded })),
        ...all.filter(({ key }) => !back.some(({ id }) => id === key)),
      ]);
      if (cc.length + bcc.length === 0) return;
      setCopies((all) => ({
        isShown: true,
        cc: [cc.join(', '), all.cc].filter(Boolean).join(', '),
        bcc: [bcc.join(', '), all.bcc].filter(Boolean).join(', '),
      }));
    },
  };
}

export type EnclosuresDraft = ReturnType<typeof useEnclosures>;
