import type { ChangedCopies } from '#app/components/drafts/copies.ts';
import type { UploadedFile } from '#app/components/drafts/upload-file.ts';
import type {
  DraftView,
  Enclosures,
  PendingReplyView,
  UnseenItem,
} from '#server/screens/inbox/composer-views.ts';
import type { Written } from '#server/screens/inbox/formatted-text.ts';

export type Kind = 'reply' | 'note';

/** A file of a draft. `uploaded` is null during the upload. */
export type DraftFile = { key: string; name: string; sizeBytes: number; uploaded: UploadedFile | null };

/** Changes the files of a draft, even after its composer was left. */
export type ChangeFiles = (change: (files: readonly DraftFile[]) => DraftFile[]) => void;

/**
 * The content of a draft, as a request sends it. `answers`: the author who gets it, empty for the contact, null or missing as
 * suggested.
 */
export type Taken = Written & { enclosed: Enclosures; answers?: string | null | undefined };

/** What is known of the draft that teammates share (`share-drafts.ts`). */
export type Shared = {
  /** The version that the text is, or was based on. */
  version: number;
  /** The teammate of that version, and when it was stored. Null for this teammate. */
  by: Pick<DraftView, 'author' | 'updatedAt'> | null;
  /** A version that a teammate has stored since, while this one wrote. The writer chooses. */
  newer: DraftView | null;
  /** Request in flight that stores the text. Resolves with the version. */
  saving: Promise<number> | null;
};

export type Draft = Written & {
  files: readonly DraftFile[];
  /** Null until the recipients are changed. */
  copies: ChangedCopies | null;
  savedReplyIds: readonly string[];
  /** Chosen address of the author who gets the reply instead of the contact, and the suggestion at that time. */
  answers: { address: string | null; suggested: string | null } | null;
  /** Number of changes in this tab. */
  edits: number;
  /** Null until something is known. */
  shared: Shared | null;
  /** Content of requests in flight, oldest first. Its text is stored with the draft until the server confirms it. */
  sending: readonly Taken[];
  /** What is in storage, as far as this tab knows. */
  stored: Written;
};

export const NOTHING: Written = { text: '', formatted: null };

export const EMPTY_DRAFT: Draft = {
  ...NOTHING,
  files: [],
  copies: null,
  savedReplyIds: [],
  answers: null,
  edits: 0,
  shared: null,
  sending: [],
  stored: NOTHING,
};

/** Maximum number of saved replies that are counted for one reply. */
const SAVED_REPLIES_MAX = 20;

/** Returns the ids of the saved replies that are counted for a reply. */
export function newest(ids: readonly string[]): string[] {
  return [...new Set(ids)].slice(-SAVED_REPLIES_MAX);
}

/** A reply that was not sent, because something was added to its conversation. It is in flight until its writer decides. */
export type UnseenQuestion = {
  taken: Taken;
  solves: boolean;
  sendAt: Date | undefined;
  unseen: UnseenItem[];
  /** Ids of everything that the writer has seen once they have read the question. */
  seen: string[];
};

/** Values of the command form. `isTyped` means that they came from the text box, which is cleared after the run. */
export type CommandRun = { command: string; details: string; isTyped: boolean };

/**
 * The composer on screen. `focus` asks for the focus of its text box, at a caret position or the end, and to insert a text into one with
 * formatting.
 */
export type Shown = {
  conversationId: string;
  kind: Kind;
  focus: { caret: number | undefined; insert?: string } | null;
  run: CommandRun | null;
};

/** A reply of this tab. `scheduled` resolves with null once the server has scheduled it, or with the reason why not. */
export type LocalReply = PendingReplyView & { conversationId: string; scheduled: Promise<object | null> };

export type ComposerState = {
  /** The signed-in teammate, once known. */
  userId: string | null;
  /** By storage key. */
  drafts: Readonly<Record<string, Draft>>;
  /** By conversation. */
  questions: Readonly<Record<string, UnseenQuestion>>;
  /** Replies that the fetched view may not contain yet. */
  localReplies: readonly LocalReply[];
  /** Ids of cancelled replies, which a view that was fetched before may still contain. */
  cancelledReplies: readonly string[];
  shown: Shown | null;
  /** Conversation whose text box takes the focus when it is opened next. */
  focusedNext: string | null;
};
