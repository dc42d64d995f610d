import type { FormattedText } from '#server/contract/formatted-text.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type { ListenedCommands } from '#server/inbox/commands/refuse-command.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import type { DraftView } from '#server/inbox/messages/reply-drafts.ts';
import type { SuggestedReplyView } from '#server/inbox/messages/suggested-replies.ts';

export type { TemplateView } from '#server/inbox/channels/whatsapp/templates.ts';
export type { ListenedCommands, Listeners } from '#server/inbox/commands/refuse-command.ts';
export type { UnseenItem } from '#server/inbox/messages/find-unseen.ts';
export type { DraftView } from '#server/inbox/messages/reply-drafts.ts';
export type { ScheduledReply } from '#server/inbox/messages/schedule-reply.ts';
export type { SuggestedReplyView } from '#server/inbox/messages/suggested-replies.ts';

/** Values for a new conversation, or for sharing to one: the workspace of its files, their maximum number and size. */
export type NewConversationView = { workspaceId: string; filesMax: number; fileMaxBytes: number };

/** A mailbox that emails can be sent from. */
export type MailboxChoice = { id: string; address: string; isDefault: boolean };

/** Mailboxes for a new conversation. `suggestedId`: the one last used with the contact, else the default. */
export type MailboxChoices = { mailboxes: MailboxChoice[]; suggestedId: string | null };

/** A scheduled or failed reply, visible to everyone with access to the conversation. */
export type PendingReplyView = {
  id: string;
  content: string;
  formatted: FormattedText | null;
  authorName: string;
  isYours: boolean;
  /** Remaining time to undo, in ms. */
  msLeft: number;
  /** Time that the author chose with “Send later”, or null. */
  laterAt: Date | null;
  /** The contact wrote after this reply was scheduled for later, so it is not sent without another decision. */
  isAnswered: boolean;
  /** Reason why it was not sent; null while it is scheduled. */
  problem: string | null;
  /** Sending it solves the conversation. */
  solves: boolean;
  /** Recipients if they are not the contact. Undefined until the server has stored the reply. */
  mailTo?: string[];
  cc: string[];
  bcc: string[];
  /** The files that `formatted` shows as pictures. */
  pictures: UploadedFile[];
  /** Names of the other files. */
  fileNames: string[];
};

/** Copies and files of a message, and the saved replies that its text used. */
export type Enclosures = { cc: string[]; bcc: string[]; files: UploadedFile[]; savedReplyIds: string[] };

/** Failed messages that can be sent again now. `template`: only WhatsApp templates reach the contact. */
export type Resend = 'all' | 'template' | 'none';

/**
 * `address`: where a reply can be sent to this person; null if replies only reach the contact. `isMerged`: the conversation
 * of this person was merged into the one on screen.
 */
export type OtherAuthor = { name: string; address: string | null; isMerged: boolean };

/** Values for the composer of a conversation. Lengths are in characters. */
export type ComposerView = {
  workspaceId: string;
  conversationId: string;
  you: { id: string; name: string };
  /** You are an owner or admin. */
  isAdmin: boolean;
  /** Reason why you cannot write here, or null. */
  readOnly: string | null;
  /** Target of the merge; nothing can be written in a merged conversation. */
  mergedInto: { id: string; title: string } | null;
  isClosed: boolean;
  /** True if a reply can solve the conversation, because it is open or pending. */
  canSolve: boolean;
  channel: Channel;
  contactName: string | null;
  /** On email: the mailboxes, and the one that sends the replies. */
  mailboxes: MailboxChoice[];
  mailboxId: string | null;
  /** Replies on this channel can be formatted. */
  canFormat: boolean;
  replyMaxLength: number;
  filesMax: number;
  /** Person other than the contact who wrote last. A reply goes to them after a merge, else to the contact. */
  otherAuthor: OtherAuthor | null;
  /** On email: suggested Cc recipients of a reply. */
  replyCc: string[];
  /** On email: addresses that the contact's newest email asks to answer, and whether replies are sent there. */
  replyTo: { asked: string[]; isUsed: boolean };
  /** True on WhatsApp when an account is connected. */
  canSendTemplates: boolean;
  /** Reason why a reply would not reach the contact. `href`: the page where this teammate can fix it. */
  replyWarning: { sentence: string; href: string | null } | null;
  /** Failed messages that you can send again: those to the contact, and forwards, which are emails on every channel. */
  resend: { reply: Resend; forward: Resend };
  noteMaxLength: number;
  /** Reason why notes are unavailable. `href`: the page where this teammate can fix it. */
  notesProblem: { sentence: string; href: string | null } | null;
  commands: ListenedCommands;
  commandDetailsMaxLength: number;
  mentionable: MentionableView[];
  pending: PendingReplyView[];
  /** The draft that teammates share. Null if there was none for a month. */
  draft: DraftView | null;
  /** Replies that programs suggest. */
  suggested: SuggestedReplyView[];
};

/** `sees`: false for a teammate who cannot see the conversation, and is not notified. */
export type MentionableView = {
  id: string;
  name: string;
  email: string;
  sees: boolean;
  away: { until: Date | null } | null;
};
