import type { Channel } from '#server/generated/prisma/enums.ts';
import type { ListenedCommands } from '#server/inbox/commands/views.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import type { MentionableView } from '#server/screens/inbox/notes-views.ts';

export type { TemplateView } from '#server/inbox/channels/whatsapp/templates.ts';

/** A reply that is no message yet, as everyone sees it who has the conversation open. */
export type PendingReplyView = {
  id: string;
  content: string;
  authorName: string;
  isYours: boolean;
  /** Milliseconds in which it can still be undone. */
  msLeft: number;
  /** Why it was not sent, as a sentence; null while it is about to be. */
  problem: string | null;
  /** It solves its conversation once it is sent. */
  solves: boolean;
  cc: string[];
  bcc: string[];
  fileNames: string[];
};

/** What a reply carries besides its text, as the composer hands it over. */
export type Enclosures = { cc: string[]; bcc: string[]; files: UploadedFile[] };

/** All that the composer of one conversation needs to know. Lengths are in characters. */
export type ComposerView = {
  workspaceId: string;
  conversationId: string;
  you: { id: string; name: string };
  /** Why you cannot write here, as a sentence, or null. */
  readOnly: string | null;
  /** Where the conversation went; nothing is written in a merged one. */
  mergedInto: { id: string; title: string } | null;
  isClosed: boolean;
  /** Whether a reply may solve the conversation, as it is open or pending. */
  canSolve: boolean;
  channel: Channel;
  contactName: string | null;
  replyMaxLength: number;
  /** How many files a reply can have. */
  filesMax: number;
  /** By email: who gets a copy of a reply unless its author changes it. */
  replyCc: string[];
  /** On WhatsApp, where an account is connected. */
  canSendTemplates: boolean;
  /** Why a reply would not reach the contact; `href` leads to where you could mend it. */
  replyWarning: { sentence: string; href: string | null } | null;
  noteMaxLength: number;
  /** Why there are no notes here; `href` leads to where you could mend it. */
  notesProblem: { sentence: string; href: string | null } | null;
  commands: ListenedCommands;
  commandDetailsMaxLength: number;
  mentionable: MentionableView[];
  pending: PendingReplyView[];
};
