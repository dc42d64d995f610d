import type { FormattedText } from '#server/contract/formatted-text.ts';

export type ChatAttachment = { id: string; name: string; contentType: string; sizeBytes: number };

/** A file that a formatted message shows by its `fileId`, served like an attachment by its `id`. */
export type ChatPicture = { fileId: string; id: string };

/** A message as the visitor sees it. */
export type ChatMessage = {
  id: string;
  /** The id that the visitor's browser generated; null for other authors. */
  clientId: string | null;
  /** First name of the author; null for the visitor. */
  authorName: string | null;
  content: string;
  /** `content` with its formatting, or null if it has none. */
  formatted: FormattedText | null;
  /** ISO 8601. */
  createdAt: string;
  /** The pictures in `formatted`, which `attachments` leaves out. */
  pictures: ChatPicture[];
  attachments: ChatAttachment[];
};

/** The current or next time outside business hours, as ISO 8601. Null: the team is always open. */
export type ClosedView = { from: string; until: string } | null;

/** The visitor's chat. */
export type ChatView = {
  /** Changes when another conversation starts; null before the first message. */
  conversationId: string | null;
  /** The newest 200, oldest first. */
  messages: ChatMessage[];
  /**
   * Set when the team has finished. The next message reopens a `solved` conversation; after `closed` it
   * starts a new one.
   */
  ended: 'solved' | 'closed' | null;
  /** The rating since the conversation was last solved, or null. */
  rating: { score: number; comment: string | null } | null;
  /** The visitor's address is known and not requested again. */
  isIntroduced: boolean;
  closed: ClosedView;
};

/** `closed`: for a visitor who has not written yet. */
export type ChatPageView = {
  workspaceId: string;
  workspaceName: string;
  isTest: boolean;
  closed: ClosedView;
};

/** Embedding instructions, and the storage use of the workspace in bytes. */
export type WebChatSettingsView =
  | { kind: 'not_allowed'; role: string }
  | {
      kind: 'shown';
      scriptTag: string;
      chatPath: string;
      tryPath: string;
      files: { usedBytes: number; quotaBytes: number };
    };
