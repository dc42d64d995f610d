'use client';

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { type DraftOf, draftKey, readUsedReplies, saveUsedReplies } from '#app/components/composer/drafts.ts';
import { splitAddresses } from '#app/components/composer/split-addresses.ts';
import type { UploadedFile } from '#app/components/composer/upload-file.ts';
import { toast } from '#app/components/ui/toast.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { Enclosures } from '#server/screens/inbox/composer-views.ts';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

/** A file of a draft. `uploaded` is null during the upload. */
export type DraftFile = { key: string; name: string; sizeBytes: number; uploaded: UploadedFile | null };

// By the storage key of the draft:

/** Composers on screen. */
const onScreen = new Map<string, { show: (enclosed: Enclosures) => void; setFiles: SetFiles }>();
/** Files and copies that were restored after the teammate left their conversation. */
const restoredLater = new Map<string, Enclosures[]>();
/** Files, uploaded or not yet, and changed copies of drafts that the teammate left. */
const left = new Map<string, { files: DraftFile[]; changed: Changed | null }>();

type ChangeFiles = (files: DraftFile[]) => DraftFile[];
export type SetFiles = (change: ChangeFiles) => void;

type Options = {
  workspaceId: string;
  filesMax: number;
  /** The draft that survives leaving its conversation. None for a new conversation. */
  draftOf?: DraftOf;
  /** Suggested recipients of a copy (Cc). */
  suggestedCc: readonly string[];
  /** Files that the draft starts with. */
  initialFiles?: readonly UploadedFile[] | undefined;
};

/** Maximum number of saved replies that are counted for one reply. */
const SAVED_REPLIES_MAX = 20;

/** State of a draft's files, of the saved replies that it used and, for emails, of its Cc and Bcc recipients. */
export function useEnclosures(options: Options) {
  const { workspaceId, filesMax, draftOf, suggestedCc, initialFiles = [] } = options;
  const draft = draftOf && draftKey(draftOf);
  const copies = useCopies(suggestedCc);
  const [files, setFiles] = useState<DraftFile[]>(() => initialFiles.map(draftFile));
  const usedReplies = useRef<string[]>([]);
  const setUsedReplies = (ids: string[]) => {
    usedReplies.current = [...new Set(ids)].slice(-SAVED_REPLIES_MAX);
    if (draftOf) saveUsedReplies(draftOf, usedReplies.current);
  };
  /** Also changes files of a draft that was left during their upload. */
  const changeFiles: SetFiles = (change) =>
    draft === undefined ? setFiles(change) : changeFilesOf(draft, change);
  const remove = (key: string) => changeFiles((all) => all.filter((file) => file.key !== key));

  const add = async (file: File) => {
    const key = uuidv7();
    setFiles((all) => [...all, { key, name: file.name, sizeBytes: file.size, uploaded: null }]);
    const upload = await import('#app/components/composer/upload-file.ts')
      .then(({ uploadFile }) => uploadFile(workspaceId, file))
      .catch(() => ({ done: false as const, problem: notReached().problem }));
    if (upload.done) {
      const { name, sizeBytes } = upload.file;
      const stored = { key, name, sizeBytes, uploaded: upload.file };
      changeFiles((all) => all.map((each) => (each.key === key ? stored : each)));
    } else {
      remove(key);
      toast.error(`${file.name} was not added`, { description: upload.problem });
    }
  };
  const show = ({ cc, bcc, files: back, savedReplyIds: used }: Enclosures) => {
    setFiles((all) => [
      ...back.map(draftFile),
      ...all.filter(({ key }) => !back.some(({ id }) => id === key)),
    ]);
    setUsedReplies([...used, ...usedReplies.current]);
    copies.restore({ cc, bcc });
  };
  const uploaded = files.flatMap((file) => file.uploaded ?? []);
  const showRestored = useEffectEvent(show);
  const load = useEffectEvent((key: string) => {
    if (draftOf) setUsedReplies([...readUsedReplies(draftOf), ...usedReplies.current]);
    const kept = left.get(key);
    left.delete(key);
    if (kept) {
      setFiles(kept.files);
      copies.load(kept.changed);
    }
    for (const restored of restoredLater.get(key) ?? []) show(restored);
    restoredLater.delete(key);
  });
  const latest = useRef({ files, changed: copies.changed });
  useEffect(() => {
    latest.current = { files, changed: copies.changed };
  });
  useEffect(() => {
    if (draft === undefined) return;
    const composer = { show: (enclosed: Enclosures) => showRestored(enclosed), setFiles };
    onScreen.set(draft, composer);
    load(draft);
    return () => {
      if (onScreen.get(draft) === composer) onScreen.delete(draft);
      const { changed, files: all } = latest.current;
      if (all.length > 0 || changed?.suggested === null) left.set(draft, { files: all, changed });
    };
  }, [draft]);

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
    /** Remembers an inserted saved reply and adds copies of its files. */
    addSavedReply: (saved: OfferedSavedReply) => {
      setUsedReplies([...usedReplies.current, saved.id]);
      if (saved.files.length === 0) return;
      if (files.length + saved.files.length > filesMax) {
        toast.error(`The files were not added. A message can have up to ${filesMax} files.`);
        return;
      }
      import('#app/components/composer/add-saved-files.ts').then(
        ({ addSavedFiles }) => addSavedFiles(saved, changeFiles),
        () => toast.error('The files were not added', { description: notReached().problem }),
      );
    },
    /** Clears the draft's files, copies and used saved replies, and returns them for the message. */
    take: (): Enclosures => {
      setFiles([]);
      // The conversation may be left before the next render.
      latest.current = { files: [], changed: null };
      const savedReplyIds = usedReplies.current;
      setUsedReplies([]);
      return { ...copies.take(), files: uploaded, savedReplyIds };
    },
  };
}

/**
 * Restores unsent files and copies of a draft next to newer ones, in the composer that shows its conversation now. If none
 * does, waits until it is opened.
 */
export function restoreEnclosures(of: DraftOf, enclosed: Enclosures): void {
  const key = draftKey(of);
  const shown = onScreen.get(key);
  if (shown) shown.show(enclosed);
  else restoredLater.set(key, [...(restoredLater.get(key) ?? []), enclosed]);
}

function changeFilesOf(draft: string, change: ChangeFiles): void {
  const kept = left.get(draft);
  if (kept) left.set(draft, { ...kept, files: change(kept.files) });
  else onScreen.get(draft)?.setFiles(change);
}

export type EnclosuresDraft = ReturnType<typeof useEnclosures>;

/** Complete addresses of one kind, and the text still being typed. */
export type CopyList = { addresses: string[]; typed: string };

/** Visible fields. Bcc is rare and appears on demand. */
type Shown = 'none' | 'cc' | 'all';

type Copies = { shown: Shown; cc: CopyList; bcc: CopyList };

/**
 * Changed copies and the suggestion at that time. `suggested` is null after a manual change, which no suggestion
 * overrides.
 */
type Changed = { copies: Copies; suggested: string | null };

const NOBODY: CopyList = { addresses: [], typed: '' };

/**
 * State of the copy recipients: the suggested ones until the user changes them. The recipients of the last message
 * stay until there is a new suggestion.
 */
function useCopies(suggestedCc: readonly string[]) {
  const [changed, setChanged] = useState<Changed | null>(null);
  const suggested = suggestedCc.join();
  const isCurrent = changed !== null && (changed.suggested === null || changed.suggested === suggested);
  const copies = isCurrent ? changed.copies : withCc(suggestedCc);
  const change = (next: Copies) => setChanged({ copies: next, suggested: null });

  return {
    copies,
    /** For `load`, when the conversation is opened again. */
    changed,
    load: setChanged,
    showAll: () => change({ ...copies, shown: 'all' }),
    changeList: (kind: 'cc' | 'bcc', list: CopyList) => change({ ...copies, [kind]: list }),
    /** Returns all recipients, including typed ones, and resets Bcc. Cc stays for the next message. */
    take: () => {
      const [cc, bcc] = [allAddresses(copies.cc), allAddresses(copies.bcc)];
      setChanged({ copies: withCc(cc), suggested });
      return { cc, bcc };
    },
    /** Restores recipients beside those the user has added since. */
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

/** Returns the complete addresses and the typed ones. */
export function allAddresses({ addresses, typed }: CopyList): string[] {
  return unique([...addresses, ...splitAddresses(typed)]);
}

function withCc(addresses: readonly string[]): Copies {
  return {
    shown: addresses.length > 0 ? 'cc' : 'none',
    cc: { addresses: [...addresses], typed: '' },
    bcc: NOBODY,
  };
}

function draftFile(file: UploadedFile): DraftFile {
  return { key: file.id, name: file.name, sizeBytes: file.sizeBytes, uploaded: file };
}

function unique(addresses: string[]): string[] {
  return [...new Set(addresses)];
}
