'use client';

import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { splitAddresses } from '#app/components/composer/split-addresses.ts';
import { type UploadedFile, uploadFile } from '#app/components/composer/upload-file.ts';
import { toast } from '#app/components/ui/toast.ts';
import type { Enclosures } from '#server/screens/inbox/views.ts';

/** A file that was added to a message; `uploaded` is null while it is on its way. */
export type DraftFile = { key: string; name: string; sizeBytes: number; uploaded: UploadedFile | null };

type Given = {
  workspaceId: string;
  filesMax: number;
  /** Suggested recipients of a copy (Cc). */
  suggestedCc: readonly string[];
};

/** Files of a draft, and the recipients of copies when it is an email. */
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
    /** Clears the draft's files and copies, and returns them for the message. */
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

/** Who gets copies of one kind: addresses that are complete, and what is being typed beside them. */
export type CopyList = { addresses: string[]; typed: string };

/** Whose fields are shown: hidden copies are rare, so theirs comes when it is asked for. */
type Shown = 'none' | 'cc' | 'all';

type Copies = { shown: Shown; cc: CopyList; bcc: CopyList };

/** What was changed, and what was suggested then; null: a person changed it, and no suggestion takes its place. */
type Changed = { copies: Copies; suggested: string | null };

const NOBODY: CopyList = { addresses: [], typed: '' };

/**
 * Who gets a copy of the message that is being written: those suggested, until a person changes that. Those of the last
 * message stay until there is another suggestion.
 */
function useCopies(suggestedCc: readonly string[]) {
  const [changed, setChanged] = useState<Changed | null>(null);
  const suggested = suggestedCc.join();
  const isCurrent = changed !== null && (changed.suggested === null || changed.suggested === suggested);
  const copies = isCurrent ? changed.copies : withCc(suggestedCc);
  const change = (next: Copies) => setChanged({ copies: next, suggested: null });

  return {
    copies,
    showAll: () => change({ ...copies, shown: 'all' }),
    changeList: (kind: 'cc' | 'bcc', list: CopyList) => change({ ...copies, [kind]: list }),
    /** All who get a copy, also those who are only typed; the next message begins with the open ones. */
    take: () => {
      const [cc, bcc] = [everyoneIn(copies.cc), everyoneIn(copies.bcc)];
      setChanged({ copies: withCc(cc), suggested });
      return { cc, bcc };
    },
    /** Puts back who was taken, beside those whom a person added since. */
    restore: ({ cc, bcc }: { cc: string[]; bcc: string[] }) => {
      setChanged((since) => {
        const added = since?.suggested === null ? since.copies : withCc([]);
        const whole = {
          cc: { ...added.cc, addresses: unique([...cc, ...added.cc.addresses]) },
          bcc: { ...added.bcc, addresses: unique([...bcc, ...added.bcc.addresses]) },
        };
        const isAll = bcc.length > 0 || added.shown === 'all';
        return {
          copies: { ...whole, shown: isAll ? 'all' : withCc(whole.cc.addresses).shown },
          suggested: null,
        };
      });
    },
  };
}

/** The addresses of a list with those that are only typed. */
export function everyoneIn({ addresses, typed }: CopyList): string[] {
  return unique([...addresses, ...splitAddresses(typed)]);
}

function withCc(addresses: readonly string[]): Copies {
  return {
    shown: addresses.length > 0 ? 'cc' : 'none',
    cc: { addresses: [...addresses], typed: '' },
    bcc: NOBODY,
  };
}

function unique(addresses: string[]): string[] {
  return [...new Set(addresses)];
}
