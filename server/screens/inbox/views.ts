import type { ShownCount } from '#server/core/shown-count.ts';
import type {
  AfterSolving,
  Channel,
  ConversationStatus,
  Priority,
  Removal,
  SlaKind,
} from '#server/generated/prisma/enums.ts';
import type { ListenedCommands } from '#server/inbox/commands/refuse-command.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import type { AgentStateView } from '#server/screens/settings/channel-views.ts';

export type { ListenedCommands, Listeners } from '#server/inbox/commands/refuse-command.ts';
export type { AfterSolving, Channel, ConversationStatus, Priority, Removal, ShownCount, SlaKind };

export type ConversationRow = {
  id: string;
  subject: string | null;
  /** The newest message on one line of at most 140 characters, or null. */
  preview: string | null;
  status: ConversationStatus;
  channel: Channel;
  contactName: string | null;
  /** The contact's address is unverified. */
  contactClaimed: boolean;
  assigneeName: string | null;
  lastMessageAt: Date;
  /** State of the last reply until it reaches the contact, otherwise null. */
  reply: 'failed' | 'waiting' | null;
  /** The side that writes next: the team if the contact wrote last. Null once solved, or without messages. */
  turn: 'team' | 'contact' | null;
};

/** A file of a message, served at `/attachments/<id>`. */
export type AttachmentView = { id: string; name: string; contentType: string; sizeBytes: number };

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
};

/**
 * Recipients of an email besides one mailbox or contact. `to` is empty for a single recipient. `bcc` exists
 * on the team's messages only and is visible to teammates only.
 */
export type RecipientsView = { to: string[]; cc: string[]; bcc: string[] };

/** Delivery state of a message from the team. */
export type SendingView = {
  state: 'on_its_way' | 'sent' | 'held' | 'failed';
  sentence: string;
  /** It was not sent, so a teammate can send it again. */
  canSendAgain: boolean;
  /** A WhatsApp template, which also reaches contacts whose 24-hour window is closed. */
  isTemplate: boolean;
};

/** Recipient of a forward, and the number of forwarded files. */
export type ForwardView = { to: string; filesCount: number };

/** A link to another conversation. */
export type OtherConversation = { id: string; title: string };

export type InboxRow = ConversationRow & {
  tags: string[];
  /** Due time of the next running SLA clock, possibly in the past; null when none runs. */
  dueAt: Date | null;
  /** Unread for the signed-in teammate. */
  unread: boolean;
  /** In a search, the message or note that it found. Null when the contact or the subject matches. */
  match: { in: 'message' | 'note'; snippet: string } | null;
};

/** A page of the inbox. It can be short or empty and still have a next page. */
export type InboxPage = { rows: InboxRow[]; nextCursor: string | null };

export type InboxCounts = Record<ConversationStatus, ShownCount>;

/**
 * Open conversations per sidebar view. `unread`: unread for the signed-in teammate. `failed`: conversations in any
 * status whose last reply failed.
 */
export type ViewCounts = Record<'mine' | 'unassigned' | 'unread' | 'all' | 'failed' | 'snoozed', ShownCount>;

/** Choices of the filters: teams and teammates by name, tags with the most used first. */
export type FilterChoices = {
  teams: { id: string; name: string }[];
  teammates: { id: string; name: string }[];
  tags: string[];
};

export type ThreadItem =
  | {
      kind: 'message';
      id: string;
      fromContact: boolean;
      authorName: string | null;
      /** Written by the AI agent, a flow or the service. */
      isAutomatic: boolean;
      /** Written by a workflow as its teammate. */
      viaPlatform: boolean;
      /** Blank when the message consists of files only. */
      content: string;
      attachments: AttachmentView[];
      /** Number of further files that are not stored here. */
      filesElsewhere: number;
      /** Null unless the message is an email with a property to show. */
      mail: MailView | null;
      /** Null when there are no further recipients. */
      recipients: RecipientsView | null;
      /** Null unless it is a forward to a third party, which the contact does not see. */
      forward: ForwardView | null;
      sending: SendingView | null;
      createdAt: Date;
    }
  | {
      kind: 'note';
      id: string;
      authorName: string | null;
      /** The service's note that a teammate ran a workflow command. */
      isCommand: boolean;
      viaPlatform: boolean;
      content: string;
      /** Names and email addresses of the mentioned teammates. */
      mentioned: string[];
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
      createdAt: Date;
    };

/** A page of a thread, oldest first, and the cursor of the earlier page, or null. */
export type ThreadPage = { items: ThreadItem[]; earlier: string | null };

/** An SLA clock. It runs while `pausedAt` and `stoppedAt` are null, and is overdue after `dueAt`. */
export type ClockView = {
  kind: SlaKind;
  dueAt: Date;
  pausedAt: Date | null;
  stoppedAt: Date | null;
  breachedAt: Date | null;
};

/** An opened conversation with the newest page of its thread. */
export type ConversationView = ThreadPage & {
  id: string;
  subject: string | null;
  status: ConversationStatus;
  channel: Channel;
  contactName: string | null;
  /** The contact was identified by an unverified email address that the visitor typed. */
  contactClaimed: boolean;
  /** A teammate or a verified link assigned it to the owner of the claimed address. */
  isLinked: boolean;
  /** The address that the contact has not proved, and the contact who has it; null when no address is claimed. */
  claim: { email: string; owner: { id: string; name: string } | null } | null;
  priority: Priority;
  tags: string[];
  assignee: { id: string; name: string } | null;
  team: { id: string; name: string } | null;
  /** Possible next statuses, without the current one. */
  nextStatuses: ConversationStatus[];
  /** Unread for the signed-in teammate. */
  unread: boolean;
  /** Target of the merge. A merged conversation cannot be changed. */
  mergedInto: OtherConversation | null;
  /** Spam and deleted conversations cannot be changed, only restored. */
  removal: { kind: Removal; removedAt: Date } | null;
  /** The newest SLA clock of each kind. */
  clocks: ClockView[];
  contact: {
    id: string;
    name: string | null;
    email: string | null;
    phone: string | null;
    companyName: string | null;
  } | null;
  createdAt: Date;
  /** A pending conversation reopens at this time. Null: it is not snoozed. */
  snoozedUntil: Date | null;
};

/** Choices for changing an opened conversation. */
export type ActionsView = {
  /** Why this teammate cannot change anything, or null. */
  problem: string | null;
  /** Owners and admins delete and restore conversations. */
  mayDelete: boolean;
  me: { id: string; name: string };
  /** Page that opens after this teammate solves a conversation. */
  afterSolving: AfterSolving;
  teammates: { id: string; name: string }[];
  teams: { id: string; name: string }[];
};

/** Everything the inbox shows for an opened conversation. */
export type OpenedView = {
  conversation: ConversationView;
  actions: ActionsView;
  composer: ComposerView;
  /** Null when the AI agent is off in this workspace. */
  agent: AgentStateView | null;
};

/** Values for the form of a new conversation: the workspace of its files, and their maximum number. */
export type NewConversationView = { workspaceId: string; filesMax: number };

/** A mailbox that emails can be sent from. */
export type MailboxChoice = { id: string; address: string; isDefault: boolean };

/** Mailboxes for a new conversation. `suggestedId`: the one last used with the contact, else the default. */
export type MailboxChoices = { mailboxes: MailboxChoice[]; suggestedId: string | null };

/** A possible target of a merge. */
export type MergeChoice = {
  id: string;
  subject: string | null;
  status: ConversationStatus;
  channel: Channel;
  contactName: string | null;
  contactClaimed: boolean;
  lastMessageAt: Date;
};

/** A possible target of a merge. `problem`: why it cannot be chosen. */
export type OfferedMerge = MergeChoice & { problem: string | null };

export type { TemplateView } from '#server/inbox/channels/whatsapp/templates.ts';

/** A scheduled or failed reply, visible to everyone with access to the conversation. */
export type PendingReplyView = {
  id: string;
  content: string;
  authorName: string;
  isYours: boolean;
  /** Remaining time to undo, in ms. */
  msLeft: number;
  /** Why it was not sent; null while it is scheduled. */
  problem: string | null;
  /** Sending it solves the conversation. */
  solves: boolean;
  cc: string[];
  bcc: string[];
  fileNames: string[];
};

export type { UnseenItem } from '#server/inbox/messages/find-unseen.ts';
export type { ScheduledReply } from '#server/inbox/messages/schedule-reply.ts';

/** Copies and files of a message, and the saved replies that its text used. */
export type Enclosures = { cc: string[]; bcc: string[]; files: UploadedFile[]; savedReplyIds: string[] };

/** Values for the composer of a conversation. Lengths are in characters. */
export type ComposerView = {
  workspaceId: string;
  conversationId: string;
  you: { id: string; name: string };
  /** You are an owner or admin. */
  isAdmin: boolean;
  /** Why you cannot write here, or null. */
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
  replyMaxLength: number;
  filesMax: number;
  /** On email: suggested Cc recipients of a reply. */
  replyCc: string[];
  /** True on WhatsApp when an account is connected. */
  canSendTemplates: boolean;
  /** Why a reply would not reach the contact. `href`: the page where this teammate can fix it. */
  replyWarning: { sentence: string; href: string | null } | null;
  noteMaxLength: number;
  /** Why notes are unavailable. `href`: the page where this teammate can fix it. */
  notesProblem: { sentence: string; href: string | null } | null;
  commands: ListenedCommands;
  commandDetailsMaxLength: number;
  mentionable: MentionableView[];
  pending: PendingReplyView[];
};

export type MentionableView = { id: string; name: string; email: string };

/** A spam or deleted conversation. `byName`: the teammate who removed it, if known. */
export type RemovedRow = ConversationRow & { removedAt: Date; byName: string | null };

export type RemovedPage = { rows: RemovedRow[]; nextCursor: string | null };

/** Numbers of rows that a deletion removes, and days for which it can be undone. */
export type DeletionPreview = Record<'messages' | 'notes' | 'files' | 'merged', ShownCount> & {
  restoreDays: number;
};
