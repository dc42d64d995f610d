import { suggestedAnswer } from '#app/components/composer/use-answered.ts';
import { type Draft, EMPTY_DRAFT, newest, type Shared } from '#app/components/drafts/composer-state.ts';
import { type ComposerStore, draftFile, draftKey } from '#app/components/drafts/composer-store.ts';
import { recipientsOf, restoreCopies } from '#app/components/drafts/copies.ts';
import { notReached, type Outcome } from '#app/lib/outcome.ts';
import type { ComposerView, DraftView } from '#server/screens/inbox/composer-views.ts';
import { isSameWriting, joinWritten, type Written } from '#server/screens/inbox/formatted-text.ts';

/** Interval of storing while the teammate types, in ms. */
const PAUSE_MS = 1_500;
/** Failed requests are repeated with exponential backoff between these pauses, in ms. */
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
/** Failed requests in a row after which only the next change is tried. */
const FAILURES_MAX = 20;

/** What a request stores. */
export type DraftRequest = Omit<DraftView, 'author' | 'updatedAt'> & { conversationId: string };

type SavedDraft = { version: number; newer: DraftView | null };

/** A draft of this tab. */
type Followed = {
  view: ComposerView;
  /** The text has changes that the server does not have. `unknown`: the text is from a browser that shared no drafts. */
  isChanged: boolean | 'unknown';
  /** The files, recipients and author are not known since the page was loaded. */
  isFresh: boolean;
  /** The server’s draft is empty, as far as known. */
  isStoredEmpty: boolean;
  /** The teammate has begun a text, and its suggested recipient is not remembered yet. */
  isBegun: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  failures: number;
};

const NOTHING_SHARED: Shared = { version: 0, by: null, newer: null, saving: null };

type Options = {
  composer: ComposerStore;
  save: (draft: DraftRequest) => Promise<Outcome<SavedDraft>>;
};

/**
 * Stores the replies of a tab as the drafts that all teammates share, and shows the changes of others. Until the server has a
 * text, the browser's copy is the only one: it stays through outages and is stored when the service is back.
 */
export function shareDrafts({ composer, save }: Options) {
  const followed = new Map<string, Followed>();

  /** Remembers what is known of the shared draft, also for other tabs and the next page. */
  const share = (
    key: string,
    { isChanged }: Followed,
    known: Partial<Shared>,
    change: Partial<Draft> = {},
  ) => {
    const { text, shared, sending } = composer.get(key);
    const next = { ...(shared ?? NOTHING_SHARED), ...known };
    const isUnsaved = isChanged === true || next.saving !== null || sending.length > 0;
    const isNothing = isChanged === 'unknown' || (!isUnsaved && (change.text ?? text) === '');
    const version = isNothing ? '' : `${next.version}${isUnsaved ? '+' : ''}`;
    composer.adopt(key, { ...change, shared: next }, version);
  };

  /** Shows a stored version. Files that are being uploaded stay. */
  const adopt = (key: string, draft: Followed, stored: DraftView, isChanged = false) => {
    const { content, formatted, copies, answers, savedReplyIds, version, author, updatedAt } = stored;
    const own = composer.get(key);
    const uploading = own.files.filter(({ uploaded }) => uploaded === null);
    const ids = content === own.text ? newest([...own.savedReplyIds, ...savedReplyIds]) : savedReplyIds;
    draft.isChanged = isChanged || ids.length > savedReplyIds.length;
    share(
      key,
      draft,
      { version, by: author?.id === draft.view.you.id ? null : { author, updatedAt }, newer: null },
      {
        text: content,
        formatted: formatted ?? null,
        files: [...stored.files.map(draftFile), ...uploading],
        copies: copies && restoreCopies(null, copies),
        answers: answers === null ? null : chosen(answers, draft.view),
        savedReplyIds: ids,
      },
    );
  };

  /** Applies a version that the server has stored, unless this tab knows a later one. */
  const receive = (key: string, draft: Followed, stored: DraftView) => {
    const own = composer.get(key);
    const { text, formatted, files, sending, shared } = own;
    const version = shared?.version ?? 0;
    // A request in flight decides first: the version may be its own.
    if (shared?.saving || stored.version < version) return;
    // Another tab of this browser has changes that the server does not have, and decides.
    if (!draft.isChanged && sending.length === 0 && composer.versionOf(key).endsWith('+')) return;
    if (stored.version === version && !draft.isFresh) return;
    const wasFresh = draft.isFresh;
    draft.isFresh = false;
    draft.isStoredEmpty = stored.content === '' && stored.files.length === 0;
    const isBlank = text.trim() === '' && files.length === 0;
    if (!draft.isChanged || isBlank) adopt(key, draft, stored);
    else if (wasFresh && stored.version === version)
      adopt(key, draft, { ...stored, content: text, formatted }, true);
    else if (draft.isStoredEmpty) share(key, draft, { version: stored.version, by: null, newer: null });
    else if (isSameWriting(writingOf(stored), own) && files.length === 0) adopt(key, draft, stored);
    else share(key, draft, { newer: stored });
  };

  const schedule = (key: string, draft: Followed, ms = PAUSE_MS) => {
    if (draft.timer !== undefined || draft.isChanged !== true) return;
    draft.timer = setTimeout(() => void store(key, draft), ms);
  };

  /** Stores the changes of this tab, with one request at a time. */
  const store = async (key: string, draft: Followed): Promise<void> => {
    clearTimeout(draft.timer);
    draft.timer = undefined;
    const { text, sending, shared } = composer.get(key);
    if (draft.isChanged !== true || shared?.saving || shared?.newer) return;
    if (sending.length > 0) return schedule(key, draft);
    // The text box says that it is too long.
    if (text.length > draft.view.replyMaxLength) return;
    const request = requestOf(composer.get(key), draft.view);
    const isBlank = text.trim() === '' && request.files.length === 0;
    draft.isChanged = false;
    if (isBlank && draft.isStoredEmpty) return share(key, draft, {});
    const outcome = save(request).catch(notReached);
    const saving = outcome.then((saved) => versionAfter(saved, draft.view, request) ?? request.version);
    share(key, draft, { saving });
    const saved = await outcome;
    const version = versionAfter(saved, draft.view, request);
    draft.isChanged = draft.isChanged || version === undefined;
    if (version === undefined) share(key, draft, { saving: null });
    else {
      draft.isStoredEmpty = isBlank;
      draft.isFresh = false;
      share(key, draft, { version, by: null, saving: null });
    }
    if (!saved.done) {
      const pause = Math.min(FIRST_RETRY_MS * 2 ** draft.failures, MAX_RETRY_MS);
      draft.failures += 1;
      if (draft.failures < FAILURES_MAX) schedule(key, draft, pause);
      return;
    }
    draft.failures = 0;
    for (const stored of [saved.value.newer, draft.view.draft]) if (stored) receive(key, draft, stored);
    schedule(key, draft);
  };

  const storeAll = async (): Promise<void> => {
    const stored = [...followed].map(async ([key, draft]) => {
      await composer.get(key).shared?.saving;
      await store(key, draft);
    });
    await Promise.all(stored);
  };

  composer.store.subscribe(({ drafts, shown }, before) => {
    for (const [key, draft] of followed) {
      const [now, then] = [drafts[key], before.drafts[key]];
      const sent = (now?.sending.length ?? 0) - (then?.sending.length ?? 0);
      // The reply has the changes now. Once it is stored, there is nothing to remember.
      if (sent > 0) draft.isChanged = false;
      if (sent < 0 && now?.edits === then?.edits) share(key, draft, {});
      if (now?.edits !== then?.edits) {
        draft.isChanged = true;
        // A restored reply comes with its author.
        draft.isBegun ||= isEmpty(then) && !isEmpty(now) && now?.answers === then?.answers;
        if (!composer.versionOf(key).endsWith('+')) share(key, draft, {});
        schedule(key, draft);
      }
    }
    if (shown?.conversationId !== before.shown?.conversationId) void storeAll();
  });

  const start = (key: string, view: ComposerView): Followed => {
    const own = composer.get(key);
    const { edits, text, shared, answers } = own;
    const stored = composer.versionOf(key);
    const isOld = stored === '' && text !== '' ? 'unknown' : false;
    const isChanged = edits > 0 || stored.endsWith('+') || isOld;
    const isBegun = edits > 0 && answers === null && !isEmpty(own);
    const flags = { isFresh: true, isStoredEmpty: true, isBegun };
    const started: Followed = { view, isChanged, ...flags, timer: undefined, failures: 0 };
    followed.set(key, started);
    if (!shared) share(key, started, { version: Number.parseInt(stored, 10) || 0 });
    return started;
  };

  /** Remembers who gets a text that was begun, also for colleagues, and when someone else writes before it is continued. */
  const rememberAuthor = (key: string, draft: Followed) => {
    const suggested = suggestedAnswer(draft.view.otherAuthor);
    const { answers } = composer.get(key);
    if (draft.isBegun && answers?.suggested !== suggested)
      share(key, draft, {}, { answers: { address: suggested, suggested } });
    draft.isBegun = false;
  };

  return {
    /** Follows the draft of a conversation from now on. Call it with each view of the composer. */
    follow: (view: ComposerView): void => {
      if (view.readOnly !== null || view.mergedInto) return;
      const key = keyOf(view);
      const draft = followed.get(key) ?? start(key, view);
      draft.view = view;
      if (view.draft) receive(key, draft, view.draft);
      rememberAuthor(key, draft);
      // The service is back.
      if (draft.failures > 0) void store(key, draft);
      else schedule(key, draft);
    },
    /**
     * Returns whether this tab shows the version to which a cancelled reply was returned. If not, the text with the reply that the
     * caller restores will replace it.
     */
    returned: (view: ComposerView, version: number): boolean => {
      const key = keyOf(view);
      const draft = followed.get(key) ?? start(key, view);
      const { shared } = composer.get(key);
      if (!shared?.newer && (shared?.version ?? 0) >= version) return true;
      draft.isFresh = false;
      draft.isStoredEmpty = false;
      share(key, draft, { version, newer: null, by: null });
      return false;
    },
    /** Decides between the text of this tab and a newer version. `both` puts the newer text above. */
    resolve: (view: ComposerView, choice: 'mine' | 'theirs' | 'both'): void => {
      const key = keyOf(view);
      const draft = followed.get(key);
      const newer = composer.get(key).shared?.newer;
      if (!draft || !newer) return;
      if (choice === 'theirs') adopt(key, draft, newer);
      else {
        share(key, draft, { version: newer.version, newer: null, by: null });
        composer.edit(key, (own) => (choice === 'mine' ? {} : joined(newer, own)));
      }
    },
    /** Stores what is not stored yet, without waiting for the pause. Resolves once each request was answered. */
    storeAll,
  };
}

/** Returns the version of what was sent, or undefined if the server does not have it. */
function versionAfter(
  saved: Outcome<SavedDraft>,
  { you }: ComposerView,
  request: DraftRequest,
): number | undefined {
  if (!saved.done) return undefined;
  const { version, newer } = saved.value;
  if (!newer) return version;
  // The response to an earlier request was lost.
  const isOwn = newer.author?.id === you.id && isSameWriting(writingOf(newer), writingOf(request));
  return isOwn ? newer.version : undefined;
}

function requestOf(draft: Draft, { conversationId }: ComposerView): DraftRequest {
  const { text, formatted, files, copies, answers, savedReplyIds, shared } = draft;
  return {
    conversationId,
    version: shared?.version ?? 0,
    content: text,
    formatted,
    // Empty: the contact, although another author is suggested.
    answers: answers && (answers.address ?? ''),
    copies: copies?.suggested === null ? recipientsOf(copies.copies) : null,
    files: files.flatMap(({ uploaded }) => uploaded ?? []),
    savedReplyIds: [...savedReplyIds],
  };
}

function chosen(answers: string, { otherAuthor }: ComposerView): Draft['answers'] {
  return { address: answers === '' ? null : answers, suggested: suggestedAnswer(otherAuthor) };
}

function joined(newer: DraftView, { files, ...own }: Draft): Partial<Draft> {
  const isNew = (id: string | undefined) => !newer.files.some((file) => file.id === id);
  return {
    ...joinWritten([writingOf(newer), own]),
    files: [...newer.files.map(draftFile), ...files.filter(({ uploaded }) => isNew(uploaded?.id))],
  };
}

function writingOf({ content, formatted }: Pick<DraftView, 'content' | 'formatted'>): Written {
  // A server of the previous release sends none.
  return { text: content, formatted: formatted ?? null };
}

/** Returns whether the box is empty, as `useComposer` does. */
function isEmpty({ text, files } = EMPTY_DRAFT): boolean {
  return text === '' && files.length === 0;
}

function keyOf({ you, conversationId }: ComposerView): string {
  return draftKey({ userId: you.id, conversationId, kind: 'reply' });
}
