'use client';

import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { type UploadedFile, uploadFile } from '#app/components/composer/upload-file.ts';
import { useCopies } from '#app/components/composer/use-copies.ts';
import { toast } from '#app/components/ui/toast.ts';
import type { Enclosures } from '#server/screens/inbox/views.ts';

/** A file that was added to a message; `uploaded` is null while it is on its way. */
export type DraftFile = { key: string; name: string; sizeBytes: number; uploaded: UploadedFile | null };

type Given = {
  workspaceId: string;
  filesMax: number;
  /** Who is offered an open copy. */
  suggestedCc: readonly string[];
};

/** What a message that is being written carries besides its text: files, and by email who gets a copy. */
export function useEnclosures({ workspaceId, filesMax, suggestedCc }: Given) {
  const copies = useCopies(suggestedCc);
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
  const uploaded = files.flatMap((file) => file.uploaded ?? []);

  return {
    copies,
    files,
    uploaded,
    isUploading: files.length > uploaded.length,
    addFiles: (picked: File[]) => {
      const room = Math.max(0, filesMax - files.length);
      for (const file of picked.slice(0, room)) void add(file);
      if (picked.length > room) toast.error(`A message can have up to ${filesMax} files.`);
    },
    removeFile: remove,
    /** Takes all of it away, and returns what goes with the message. */
    take: (): Enclosures => {
      setFiles([]);
      return { ...copies.take(), files: uploaded };
    },
    /** Puts back what was not sent, beside what was added since. */
    restore: ({ cc, bcc, files: back }: Enclosures) => {
      setFiles((all) => [
        ...back.map((file) => ({ ...file, key: file.id, uploaded: file })),
        ...all.filter(({ key }) => !back.some(({ id }) => id === key)),
      ]);
      copies.restore({ cc, bcc });
    },
  };
}

export type EnclosuresDraft = ReturnType<typeof useEnclosures>;
