import type { ShownCount } from '#server/core/shown-count.ts';
import type {
  AfterSolving,
  Channel,
  ConversationStatus,
  Priority,
  Removal,
  SlaKind,
} from '#server/generated/prisma/enums.ts';
import type { BulkChange, BulkOutcome } from '#server/inbox/conversations/bulk-change.ts';
import type { ConversationChanges, ValuesBefore } from '#server/inbox/conversations/update-conversation.ts';
import type { InboxOrder } from '#server/inbox/lists/inbox-order.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import type { OrderedInput } from '#server/screens/inbox/filter-input.ts';
import type {
  AttachmentView,
  MergedFrom,
  OtherConversation,
  ThreadPage,
} from '#server/screens/inbox/thread-views.ts';
import type { AgentStateView } from '#server/screens/settings/channel-views.ts';

export type {
  AfterSolving,
  BulkChange,
  BulkOutcome,
  Channel,
  ConversationChanges,
  ConversationStatus,
  InboxOrder,
  OrderedInput,
  Priority,
  Removal,
  ShownCount,
  SlaKind,
  ValuesBefore,
};

export type ConversationRow = {
  id: string;
  subject: string | null;
  /** The newest message on one line of at most 140 characters, or null. */
  preview: string | null;
  status: ConversationStatus;
  channel: Channel;
  priority: Priority;
  contactName: string | null;
  /** The contact's address is unverified. */
  contactClaimed: boolean;
  assigneeName: string | null;
  lastMessageAt: Date;
  /** State of the last reply until it reaches the contact, otherwise null. */
  reply: 'failed' | 'waiting' | null;
  /** Time of the next reply that is sent later, or null. */
  sendLaterAt: Date | null;
  /** Teammates have begun a reply. */
  hasDraft: boolean;
  /** The side that writes next: the team if the contact wrote last. Null once solved, or without messages. */
  turn: 'team' | 'contact' | null;
};

/** Where a search finds a text: in a message, a note, or the subject of a merged conversation. */
export type FoundIn = 'message' | 'note' | 'merged';

export type InboxRow = ConversationRow & {
  tags: string[];
  /** Due time of the next running SLA clock, possibly in the past; null when none runs. */
  dueAt: Date | null;
  /** Unread for the signed-in teammate. */
  unread: boolean;
  /** In a search, the text that it found. Null when the contact or the subject matches. */
  match: { in: FoundIn; snippet: string } | null;
  /** Words of the subject or the snippet that the search finds by their stems, in lowercase. */
  stemmed: string[];
};

/** A page of the inbox. It can be short or empty and still have a next page. */
export type InboxPage = { rows: InboxRow[]; nextCursor: string | null };

export type InboxCounts = Record<ConversationStatus, ShownCount>;

/**
 * Open conversations per sidebar view. `unread`: unread for the signed-in teammate. `failed` and `scheduled`: conversations in any
 * status with a reply that failed or is sent later. `teams`: the teammate's own ones first. `saved`: saved views by name.
 */
export type ViewCounts = Record<SidebarView, ShownCount> & {
  teams: TeamView[];
  saved: SavedView[];
};

/**
 * A saved view, with its number of conversations, unknown for those that the navigation folds. `mayEdit`: the signed-in
 * teammate may rename and delete it.
 */
export type SavedView = {
  id: string;
  name: string;
  isShared: boolean;
  mayEdit: boolean;
  filters: OrderedInput;
  found: ShownCount;
};

export type SidebarView = 'mine' | 'unassigned' | 'unread' | 'all' | 'failed' | 'scheduled' | 'snoozed';

/** A team in the sidebar, with its number of open conversations. */
export type TeamView = { id: string; name: string; open: ShownCount };

/** Choices of the filters: teams and teammates by name, tags with the most used first. */
export type FilterChoices = {
  teams: { id: string; name: string }[];
  teammates: { id: string; name: string }[];
  tags: string[];
};

/** An SLA clock. It runs while `pausedAt` and `stoppedAt` are null, and is overdue after `dueAt`. */
export type ClockView = {
  kind: SlaKind;
  dueAt: Date;
  pausedAt: Date | null;
  stoppedAt: Date | null;
  breachedAt: Date | null;
  /** While it runs: the current or next time outside business hours before it is due. Null if there is none within two weeks. */
  closed: { from: Date; until: Date } | null;
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
  /** The contact may be a contact form that passes on emails of others, such as of the person. Null: nothing is offered. */
  formOffer: { address: string; person: string; mayList: boolean } | null;
  /** A person whom the first email names and who can become the contact, or did. Null: nothing is offered. */
  contactOffer: { kind: 'forward' | 'form'; email: string; isAccepted: boolean } | null;
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
  /** Number of conversations that were merged into this one. */
  mergedCount: number;
  /** This merged conversation can be separated from the other one again. */
  canUndoMerge: boolean;
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

/** What else happened with the contact of an opened conversation. */
export type ContactHistory = {
  /** Time of the newest message that was sent to the contact, in any conversation; null if there is none. */
  lastContactedAt: Date | null;
  /** Other conversations, newest message first. */
  conversations: {
    id: string;
    subject: string | null;
    status: ConversationStatus;
    channel: Channel;
    lastMessageAt: Date;
  }[];
  /** There are more conversations. */
  hasMore: boolean;
  /** The newest files of all conversations. */
  files: (AttachmentView & { sentAt: Date })[];
  /** Entries of the block list that refuse messages of the contact. */
  blocks: ContactBlockView[];
};

/** An entry of the block list. `path`: its page, for owners and admins. */
export type ContactBlockView = {
  /** Position in the list. The id of the entry would let an agent unblock the sender. */
  id: number;
  sender: string;
  createdByName: string;
  createdAt: Date;
  lastRefusedAt: Date | null;
  path: string | null;
};

/** Choices for changing an opened conversation. */
export type ActionsView = {
  /** Reason why this teammate cannot change anything, or null. */
  problem: string | null;
  /** Owners and admins delete and restore conversations. */
  mayDelete: boolean;
  me: { id: string; name: string };
  /** Page that opens after this teammate solves a conversation. */
  afterSolving: AfterSolving;
  teammates: AssigneeView[];
  teams: { id: string; name: string }[];
};

/** A teammate who can be assigned. `away`: until when they are away, null if they are not. */
export type AssigneeView = { id: string; name: string; away: { until: Date | null } | null };

/** Everything the inbox shows for an opened conversation. */
export type OpenedView = {
  conversation: ConversationView;
  actions: ActionsView;
  composer: ComposerView;
  /** Null when the AI agent is off in this workspace. */
  agent: AgentStateView | null;
};

/** Teammates and teams that selected conversations can be assigned to, by name. */
export type BulkChoices = {
  me: { id: string };
  teammates: AssigneeView[];
  teams: { id: string; name: string }[];
};

/** Best matches for a name. Viewers are not assignable. */
export type FoundByName = {
  teammates: { id: string; name: string; isAssignable: boolean }[];
  teams: { id: string; name: string }[];
  tags: string[];
};

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

/** A conversation of a merge: who is reached there. `address`: an email address or phone number, if known. */
export type MergeSide = MergedFrom & { address: string | null };

/** A possible target of a merge. `problem`: reason why it cannot be chosen. */
export type OfferedMerge = MergeChoice & { problem: string | null };

/** A spam or deleted conversation. `byName`: the teammate who removed it, if known. */
export type RemovedRow = ConversationRow & { removedAt: Date; byName: string | null };

export type RemovedPage = { rows: RemovedRow[]; nextCursor: string | null };

/** Numbers of rows that a deletion removes, and days for which it can be undone. */
export type DeletionPreview = Record<'messages' | 'notes' | 'files' | 'merged', ShownCount> & {
  restoreDays: number;
};

/** A teammate, and why they see a conversation or do not. */
export type ReaderView = { id: string; name: string; sees: boolean; why: string };

/** Who can read a conversation. `isLimited`: not everyone. */
export type ReadersView = { teammates: ReaderView[]; isLimited: boolean };
