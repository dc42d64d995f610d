import type { FormattedText } from '#server/contract/formatted-text.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type { CalendarInvitation } from '#server/inbox/mail-parser/parsed-mail.ts';

/** What became of a command. `retrying`: an attempt failed, and another one follows. */
export type RunView = { state: 'sent' | 'delivered' | 'failed' | 'retrying'; sentence: string };

/** A file of a message, served at `/attachments/<id>`. */
export type AttachmentView = { id: string; name: string; contentType: string; sizeBytes: number };

/** A file that a formatted text shows by its `fileId`, served like an attachment by its `id`. */
export type PictureView = { fileId: string; id: string };

/** Properties of an email, whose HTML and original are served at `/mails/<message id>`. */
export type MailView = {
  isAutomatic: boolean;
  /** True if the From address is authenticated. `unknown`: its domain has no SPF, DKIM or DMARC result. */
  sender: 'verified' | 'not_verified' | 'unknown';
  /** `content` omits the quotes. */
  isTrimmed: boolean;
  /** It has HTML to view, possibly with pictures on other servers. */
  hasHtml: boolean;
  hasRemotePictures: boolean;
  /** Its original can be downloaded. */
  hasOriginal: boolean;
  /** The event that it invites to, answers or cancels. */
  invitation: CalendarInvitation | null;
};

/** Context of a chat message: what it answers, and where its author comes from. */
export type ContextView = {
  /** The start of the message that it answers. `id` is null if that message is not stored here. */
  answers: {
    id: string | null;
    content: string;
    author: string | null;
    isOurs: boolean;
    files: number;
  } | null;
  isAboutStory: boolean;
  isForwarded: boolean;
  ad: { title: string; source: string } | null;
};

/**
 * Recipients of an email besides one mailbox or contact. `to` is empty for a single recipient. `bcc` exists
 * on the team's messages only and is visible to teammates only.
 */
export type RecipientsView = { to: string[]; cc: string[]; bcc: string[] };

/** Delivery state of a message from the team. */
export type SendingView = {
  /** `doubtful`: sent, but a mail server returned something that could not be read. */
  state: 'on_its_way' | 'sent' | 'doubtful' | 'held' | 'failed';
  sentence: string;
  /** It was not sent, so a teammate can send it again. */
  canSendAgain: boolean;
  /** A teammate dismissed the failure. */
  isDismissed: boolean;
  /** Its failure can be dismissed. */
  canDismiss: boolean;
  /** A WhatsApp template, which also reaches contacts whose 24-hour window is closed. */
  isTemplate: boolean;
};

/** Recipient of a forward, and the number of forwarded files. */
export type ForwardView = { to: string; filesCount: number };

/** An emoji, and the names of the people who reacted with it. */
export type ReactionView = { emoji: string; names: string[] };

/** A link to another conversation. */
export type OtherConversation = { id: string; title: string };

/** The conversation, merged into the shown one, that a message or note comes from. */
export type MergedFrom = OtherConversation & {
  contactId: string | null;
  contactName: string | null;
  channel: Channel;
};

export type ThreadItem =
  | {
      kind: 'message';
      id: string;
      /** Null for the conversation's own messages. */
      mergedFrom: MergedFrom | null;
      fromContact: boolean;
      authorName: string | null;
      /** Email address of an author who is not the contact. */
      authorAddress: string | null;
      /** Written by the AI agent, a flow, the service, or a program in its own name. */
      isAutomatic: boolean;
      /** What wrote it as the author: the platform, or the label of a program. Null for people. */
      via: string | null;
      /** Blank when the message consists of files only. */
      content: string;
      /** `content` with its formatting, or null if it has none. */
      formatted: FormattedText | null;
      /** The pictures in `formatted`, which `attachments` leaves out. */
      pictures: PictureView[];
      attachments: AttachmentView[];
      /** Number of further files that are not stored here. */
      filesElsewhere: number;
      /** Null unless the message is an email with a property to show. */
      mail: MailView | null;
      /** Null when there are no further recipients. */
      recipients: RecipientsView | null;
      /** Null unless it is a forward to a third party, which the contact does not see. */
      forward: ForwardView | null;
      /** Null unless a chat says what the message answers or where its author comes from. */
      context: ContextView | null;
      reactions: ReactionView[];
      sending: SendingView | null;
      createdAt: Date;
    }
  | {
      kind: 'note';
      id: string;
      /** Null for the conversation's own notes. */
      mergedFrom: MergedFrom | null;
      authorName: string | null;
      /** The service's note that a teammate ran a workflow command. */
      isCommand: boolean;
      /** State of a command; null for other notes, and once its history is removed. */
      run: RunView | null;
      via: string | null;
      /** Blank when the note consists of files only. */
      content: string;
      formatted: FormattedText | null;
      pictures: PictureView[];
      /** Names and email addresses of the mentioned teammates. */
      mentioned: string[];
      attachments: AttachmentView[];
      /** The teammate who can edit and delete it, or null. */
      ownerId: string | null;
      /** Number of earlier texts. */
      version: number;
      editedAt: Date | null;
      /** Its author deleted it. It has no text then. */
      isDeleted: boolean;
      createdAt: Date;
    }
  | {
      kind: 'entry';
      id: string;
      sentence: string;
      /** Text that belongs to the entry, for example the comment of a rating. */
      quote: string | null;
      /** Score of a rating, 1 to 5. */
      score: number | null;
      /** The other conversation of a merge. */
      other: OtherConversation | null;
      /** End of a snooze. */
      until: Date | null;
      createdAt: Date;
    };

/** A step of what happened with a message. `until`: the time of the next attempt. `link`: the page where it can be changed. */
export type StepView = {
  id: number;
  at: Date;
  sentence: string;
  tone: 'plain' | 'good' | 'waiting' | 'bad';
  until?: Date;
  link?: { path: string; name: string };
};

/** The text of a note with its version, its earlier texts, newest first, and the files that they may show as pictures. */
export type NoteTextsView = {
  version: number;
  content: string;
  formatted: FormattedText | null;
  earlier: { content: string; formatted: FormattedText | null; writtenAt: Date }[];
  pictures: PictureView[];
};

/** A page of a thread, oldest first, and the cursor of the earlier page, or null. */
export type ThreadPage = { items: ThreadItem[]; earlier: string | null };
