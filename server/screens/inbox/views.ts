import type { ShownCount } from '#server/core/shown-count.ts';
import type { Channel, ConversationStatus, Priority, SlaKind } from '#server/generated/prisma/enums.ts';
import type { ListenedCommands } from '#server/inbox/commands/refuse-command.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import type { AgentStateView } from '#server/screens/settings/channel-views.ts';

export type { ListenedCommands, Listeners } from '#server/inbox/commands/refuse-command.ts';
export type { Channel, ConversationStatus, Priority, ShownCount, SlaKind };

/** A conversation as a row of the inbox list. */
export type ConversationRow = {
  id: string;
  subject: string | null;
  /** The newest message as one line of at most 140 characters, or null when there is none yet. */
  preview: string | null;
  status: ConversationStatus;
  channel: Channel;
  contactName: string | null;
  /** The contact is who a visitor says they are, by an address that no one verified. */
  contactClaimed: boolean;
  assigneeName: string | null;
  lastMessageAt: Date;
};

/** A file that came with a message. It is served at `/attachments/<id>`. */
export type AttachmentView = { id: string; name: string; contentType: string; sizeBytes: number };

/** What a mail has that other messages have not. It is served at `/mails/<message id>`. */
export type MailView = {
  /** A machine sent it. */
  isAutomatic: boolean;
  /** Whether the author in From is proven: `unknown` when their domain has no SPF, DKIM or DMARC result. */
  sender: 'verified' | 'not_verified' | 'unknown';
  /** What it quotes is left out of `content`. */
  isTrimmed: boolean;
  /** It has HTML, which can be looked at, perhaps with pictures that are on other servers. */
  hasHtml: boolean;
  hasRemotePictures: boolean;
  /** Its original can be saved. */
  hasOriginal: boolean;
};

/**
 * Who a mail went to besides one mailbox or contact, by address. `to` has everyone it was addressed to where they are
 * several; `bcc` is for teammates' eyes alone, and of the team's own messages.
 */
export type RecipientsView = { to: string[]; cc: string[]; bcc: string[] };

/** How far a message of the team got, where there is something to say about it. */
export type SendingView = {
  state: 'on_its_way' | 'sent' | 'held' | 'failed';
  sentence: string;
  /** It has not left, so a teammate may have it sent once more. */
  canSendAgain: boolean;
};

/** Another conversation, to be linked. */
export type OtherConversation = { id: string; title: string };

/** A row of the inbox itself. */
export type InboxRow = ConversationRow & {
  tags: string[];
  /** When the next running time limit is due, or was; null when none runs. */
  dueAt: Date | null;
};

/** A page of the inbox. It may be short, even empty, and still have a next one. */
export type InboxPage = { rows: InboxRow[]; nextCursor: string | null };

export type InboxCounts = Record<ConversationStatus, ShownCount>;

/** Open conversations of the views in the sidebar. */
export type ViewCounts = Record<'mine' | 'unassigned' | 'all', ShownCount>;

/** What the inbox can be narrowed to; teams and teammates by name, tags with the most used first. */
export type FilterChoices = {
  teams: { id: string; name: string }[];
  teammates: { id: string; name: string }[];
  tags: string[];
};

/** What is in a conversation, oldest first. */
export type ThreadItem =
  | {
      kind: 'message';
      id: string;
      fromContact: boolean;
      authorName: string | null;
      /** Written by the AI agent, a flow or the service itself, and not by someone in person. */
      isAutomatic: boolean;
      /** Written by a workflow through the platform, as that teammate. */
      viaPlatform: boolean;
      /** Blank when the message is its files alone. */
      content: string;
      attachments: AttachmentView[];
      /** How many files it had besides, which are not kept here. */
      filesElsewhere: number;
      /** What is to be said of a mail; null for every other message. */
      mail: MailView | null;
      /** Null where there is no one to name. */
      recipients: RecipientsView | null;
      sending: SendingView | null;
      createdAt: Date;
    }
  | {
      kind: 'note';
      id: string;
      authorName: string | null;
      /** The service's own note that someone ran a workflow command. */
      isCommand: boolean;
      viaPlatform: boolean;
      content: string;
      createdAt: Date;
    }
  | {
      kind: 'entry';
      id: string;
      sentence: string;
      /** What was said with it, for example beside a rating, or null. */
      quote: string | null;
      /** Of a rating, 1 to 5. */
      score: number | null;
      /** The other conversation of a merge. */
      other: OtherConversation | null;
      createdAt: Date;
    };

/** A part of what is in a conversation, and where what came before it begins; null: there is nothing before. */
export type ThreadPage = { items: ThreadItem[]; earlier: string | null };

/**
 * A time limit of a conversation. It runs while `pausedAt` and `stoppedAt` are null, and is overdue once `dueAt` has
 * passed.
 */
export type ClockView = {
  kind: SlaKind;
  dueAt: Date;
  pausedAt: Date | null;
  stoppedAt: Date | null;
  breachedAt: Date | null;
};

/** One conversation, opened, with the newest of what is in it. */
export type ConversationView = ThreadPage & {
  id: string;
  subject: string | null;
  status: ConversationStatus;
  channel: Channel;
  contactName: string | null;
  /** The contact is who a visitor says they are, by an address that no one verified. */
  contactClaimed: boolean;
  priority: Priority;
  tags: string[];
  assignee: { id: string; name: string } | null;
  team: { id: string; name: string } | null;
  /** What the status may become, besides what it is. */
  nextStatuses: ConversationStatus[];
  /** Where it was merged into: then it changes no more. */
  mergedInto: OtherConversation | null;
  /** The newest time limit of each kind. */
  clocks: ClockView[];
  contact: {
    id: string;
    name: string | null;
    email: string | null;
    phone: string | null;
    companyName: string | null;
  } | null;
  createdAt: Date;
};

/** Who may be chosen, and whether the viewer may choose: what the opened conversation offers to change. */
export type ActionsView = {
  /** Why nothing can be changed, or null when it can. */
  problem: string | null;
  me: { id: string; name: string };
  teammates: { id: string; name: string }[];
  teams: { id: string; name: string }[];
};

/** All that the inbox shows of an opened conversation, and offers to do with it. */
export type OpenedView = {
  conversation: ConversationView;
  actions: ActionsView;
  composer: ComposerView;
  /** Null: the workspace has the AI agent off. */
  agent: AgentStateView | null;
};

/** What the form of a new conversation needs to know: where its files go, and how many it can have. */
export type NewConversationView = { workspaceId: string; filesMax: number };

/** A conversation that another one can be merged into. */
export type MergeChoice = {
  id: string;
  subject: string | null;
  status: ConversationStatus;
  channel: Channel;
  contactName: string | null;
  contactClaimed: boolean;
  lastMessageAt: Date;
};

/** A conversation that was found for a merge; `problem` is a sentence about why it cannot be chosen. */
export type OfferedMerge = MergeChoice & { problem: string | null };

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

/** A teammate as they are offered for a mention. */
export type MentionableView = { id: string; name: string; email: string };
