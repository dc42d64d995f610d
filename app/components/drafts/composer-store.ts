import { v7 as uuidv7 } from 'uuid';
import { createStore } from 'zustand/vanilla';
import {
  type ChangeFiles,
  type ComposerState,
  type Draft,
  type DraftFile,
  EMPTY_DRAFT,
  type Kind,
  NOTHING,
  newest,
  type Shown,
  type Taken,
  type UnseenQuestion,
} from '#app/components/drafts/composer-state.ts';
import { copiesAfter, currentCopies, recipientsOf, restoreCopies } from '#app/components/drafts/copies.ts';
import type { UploadedFile } from '#app/components/drafts/upload-file.ts';
import { isSameWriting, joinWritten, type Written } from '#server/screens/inbox/formatted-text.ts';

/** Key of a draft: one per teammate, conversation and kind on this device. */
export type DraftOf = { userId: string; conversationId: string; kind: Kind };

/** Debounce of storing a draft, in ms. */
const PAUSE_MS = 300;

const PREFIX = 'draft:';

/** Storage key that changes at sign-out. Other tabs observe the change. */
const SIGN_OUT_KEY = 'signed-out';

/** Storage key of the recent entries of the command menu. Removed at sign-out. */
export const RECENT_KEY = 'recent-commands';

export type ComposerStore = ReturnType<typeof createComposerStore>;

/**
 * Creates the store of the drafts of this tab, which outlive the composers that show them, and of the composer on screen.
 * Texts are stored and follow other tabs. Without `storage`, drafts live as long as the store.
 * @param events the window
 */
export function createComposerStore(storage: Storage | null, events: EventTarget | null) {
  // The initial state is that of the server, whose pages show no draft.
  const store = createStore<ComposerState>(() => ({
    userId: null,
    drafts: {},
    questions: {},
    localReplies: [],
    cancelledReplies: [],
    shown: null,
    focusedNext: null,
  }));
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Selection in the text box on screen, where a saved reply is inserted. */
  let selection: { start: number; end: number } | null = null;

  const read = (key: string): string => storage?.getItem(key) ?? '';
  const write = (key: string, text: string) => {
    try {
      if (text === '') storage?.removeItem(key);
      else storage?.setItem(key, text);
    } catch {
      // Storage is full. The draft is still on screen.
    }
  };
  const signedOutBefore = read(SIGN_OUT_KEY);
  /** The author has signed out, perhaps in another tab. */
  const isSignedOut = () => read(SIGN_OUT_KEY) !== signedOutBefore;
  const savedReplyIds = (key: string) => read(repliesKey(key)).split(',').filter(Boolean);

  const written = (key: string): Written => ({
    text: read(key),
    formatted: formattingOf(read(key), read(formattedKey(key))),
  });

  const get = (key: string): Draft => store.getState().drafts[key] ?? EMPTY_DRAFT;
  const set = (key: string, change: Partial<Draft>) =>
    store.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: { ...get(key), ...change } } }));
  const save = (key: string) => {
    clearTimeout(timers.get(key));
    timers.delete(key);
    const draft = get(key);
    const stored = wholeText(draft);
    // A tab that changed nothing must not overwrite what another tab has stored.
    if (isSameWriting(stored, draft.stored) || isSignedOut()) return;
    write(formattedKey(key), stored.formatted ? JSON.stringify(stored) : '');
    write(key, stored.text);
    if (stored.text === '') write(repliesKey(key), '');
    set(key, { stored });
  };
  const edit = (key: string, change: (draft: Draft) => Partial<Draft>) => {
    const before = get(key);
    const changed = change(before);
    // A new text has the formatting that comes with it.
    const formatted = changed.text === undefined ? {} : { formatted: changed.formatted ?? null };
    set(key, { ...changed, ...formatted, edits: before.edits + 1 });
    const { savedReplyIds: ids } = get(key);
    if (ids !== before.savedReplyIds && !isSignedOut()) write(repliesKey(key), ids.join());
    clearTimeout(timers.get(key));
    timers.set(
      key,
      setTimeout(() => save(key), PAUSE_MS),
    );
  };
  /** Shows what is in storage, unless this tab has newer text. */
  const follow = (key: string) => {
    const draft = get(key);
    const stored = written(key);
    const isUnsaved = !isSameWriting(wholeText(draft), draft.stored);
    set(key, isUnsaved ? { stored } : { stored, ...stored, sending: [], savedReplyIds: savedReplyIds(key) });
  };
  const show = (conversationId: string, change: Partial<Shown>) =>
    store.setState(({ shown }) => ({
      shown: shown?.conversationId === conversationId ? { ...shown, ...change } : shown,
    }));

  for (const key of Object.keys(storage ?? {})) if (isDraftKey(key)) follow(key);
  events?.addEventListener('pagehide', () => Object.keys(store.getState().drafts).forEach(save));
  events?.addEventListener('storage', (event) => {
    const key = (event as StorageEvent).key?.replace(FORMATTED, '') ?? '';
    if (key === SIGN_OUT_KEY) {
      // This tab may have stored a draft during the sign-out, which the other tab could not remove.
      for (const drafted of Object.keys(store.getState().drafts)) {
        write(drafted, '');
        write(formattedKey(drafted), '');
      }
    } else if (isDraftKey(key)) follow(key);
  });

  return {
    store,
    get,
    save,
    edit,
    /** Returns the function that changes the files of a draft. */
    changeFiles:
      (key: string): ChangeFiles =>
      (change) =>
        edit(key, ({ files }) => ({ files: change(files) })),
    /** Returns the version of the shared draft that the stored text is. It ends with `+` if the text has changed since. */
    versionOf: (key: string) => read(`${key}:version`),
    /** Applies what the server has stored, which is no change of this teammate. */
    adopt: (key: string, change: Partial<Draft>, version: string) => {
      set(key, change);
      if (!isSignedOut()) write(`${key}:version`, version);
      save(key);
    },
    signedIn: (userId: string) => store.setState({ userId }),
    /**
     * Clears a draft and returns its content for a request. The Cc recipients stay for the next message.
     * @param suggestedCc suggested recipients of a copy
     * @param answers the author who gets it, empty for the contact
     */
    take: (key: string, suggestedCc: readonly string[], answers?: string): Taken => {
      const { text, formatted, files, copies, savedReplyIds: ids, sending } = get(key);
      const recipients = recipientsOf(currentCopies(copies, suggestedCc));
      const uploaded = files.flatMap((file) => file.uploaded ?? []);
      const enclosed = { ...recipients, files: uploaded, savedReplyIds: [...ids] };
      const taken = { text, formatted, answers, enclosed };
      set(key, {
        ...NOTHING,
        files: [],
        savedReplyIds: [],
        answers: null,
        copies: copiesAfter(recipients.cc, suggestedCc),
        sending: [...sending, taken],
      });
      save(key);
      selection = null;
      return taken;
    },
    /** Clears a draft that still has a text. A new one may have been written since. */
    clear: (key: string, text: string) => {
      if (get(key).text === text) edit(key, () => NOTHING);
    },
    /** Forgets the content of a request that the server has confirmed. */
    confirm: (key: string, taken: Taken) => {
      set(key, { sending: get(key).sending.filter((each) => each !== taken) });
      save(key);
    },
    /**
     * Restores content that was taken or cancelled, above what was written since.
     * @param suggested address of the suggested author. A later suggestion replaces the restored author in an empty box
     */
    restore: (key: string, taken: Taken, suggested: string | null = null) => {
      const { enclosed, answers } = taken;
      edit(key, ({ files, copies, savedReplyIds: ids, sending, ...own }) => ({
        ...(own.text === taken.text
          ? { text: taken.text, formatted: taken.formatted }
          : joinWritten([taken, own])),
        files: [
          ...enclosed.files.map(draftFile),
          ...files.filter(({ key: id }) => !enclosed.files.some((file) => file.id === id)),
        ],
        copies: restoreCopies(copies, enclosed),
        ...(answers == null ? {} : { answers: { address: answers || null, suggested } }),
        savedReplyIds: newest([...enclosed.savedReplyIds, ...ids]),
        sending: sending.filter((each) => each !== taken),
      }));
      save(key);
      selection = null;
    },
    addSavedReplyId: (key: string, id: string) =>
      edit(key, ({ savedReplyIds: ids }) => ({ savedReplyIds: newest([...ids, id]) })),
    /** Mounts the composer of a conversation. Returns the function that unmounts it. */
    open: (conversationId: string) => {
      selection = null;
      store.setState(({ focusedNext }) => {
        const focus = focusedNext === conversationId ? { caret: undefined } : null;
        return { shown: { conversationId, kind: 'reply', focus, run: null }, focusedNext: null };
      });
      return () => {
        for (const key of Object.keys(store.getState().drafts)) {
          if (!key.split(':').includes(conversationId)) continue;
          save(key);
          // Only manual changes of the recipients stay.
          const draft = get(key);
          if (typeof draft.copies?.suggested === 'string') set(key, { copies: null });
          if (draft.text === '' && draft.files.length === 0) set(key, { answers: null });
        }
        if (store.getState().shown?.conversationId === conversationId) store.setState({ shown: null });
      };
    },
    /** Changes the composer of a conversation, if it is on screen. */
    show,
    /** Focuses the text box of a conversation, if it is on screen. */
    focus: (conversationId: string, kind: Kind, caret?: number) =>
      show(conversationId, { kind, focus: { caret } }),
    /** Focuses the text box of a conversation that is about to be opened. */
    focusNext: (conversationId: string) => store.setState({ focusedNext: conversationId }),
    select: (start: number, end: number) => {
      selection = { start, end };
    },
    /** Inserts a text at the cursor of the reply on screen, or at its end. */
    insert: (of: DraftOf, content: string) => {
      const isReply = store.getState().shown?.kind === 'reply';
      const key = draftKey(of);
      const { text, formatted } = get(key);
      if (formatted) {
        show(of.conversationId, { kind: 'reply', focus: { caret: undefined, insert: content } });
        return;
      }
      const at = (isReply && selection) || { start: text.length, end: text.length };
      const before = text.slice(0, at.start) + content;
      edit(key, () => ({ text: before + text.slice(at.end) }));
      show(of.conversationId, { kind: 'reply', focus: { caret: before.length } });
    },
    /** Asks the writer whether to send the reply anyway, as soon as its conversation is on screen. Null closes the question. */
    ask: (conversationId: string, question: UnseenQuestion | null) =>
      store.setState(({ questions: { [conversationId]: _, ...others } }) => ({
        questions: question ? { ...others, [conversationId]: question } : others,
      })),
    /**
     * Returns the id of the last sign-out in this browser. A page opened before that sign-out must not store drafts,
     * because its text belongs to the previous user.
     */
    lastSignOut: () => read(SIGN_OUT_KEY),
    /** Removes all drafts and recent commands at sign-out and notifies other tabs. */
    signOut: () => {
      // Set this key first, so that no other tab stores a draft after the removal.
      write(SIGN_OUT_KEY, uuidv7());
      write(RECENT_KEY, '');
      for (const key of Object.keys(storage ?? {})) if (key.startsWith(PREFIX)) write(key, '');
    },
  };
}

/** Returns the storage key of a draft. */
export function draftKey({ userId, conversationId, kind }: DraftOf): string {
  return `${PREFIX}${userId}:${conversationId}:${kind}`;
}

/** Returns a file of a draft that is already uploaded. */
export function draftFile(file: UploadedFile): DraftFile {
  return { key: file.id, name: file.name, sizeBytes: file.sizeBytes, uploaded: file };
}

function isDraftKey(key: string): boolean {
  return key.startsWith(PREFIX) && key.split(':').length === 4;
}

function repliesKey(key: string): string {
  return `${key}:saved-replies`;
}

const FORMATTED = /:formatted$/;

function formattedKey(key: string): string {
  return `${key}:formatted`;
}

/** Returns the formatting of a text in storage. Null if there is none, or it belongs to another text: not every page writes both. */
function formattingOf(text: string, stored: string): Written['formatted'] {
  if (stored === '') return null;
  const written: Written = JSON.parse(stored);
  return written.text === text ? written.formatted : null;
}

function wholeText(draft: Draft): Written {
  return joinWritten([...draft.sending, draft]);
}
