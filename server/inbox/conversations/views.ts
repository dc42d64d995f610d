import type { Channel, ConversationStatus, Priority, SlaKind } from '#server/generated/prisma/enums.ts';
import type { ShownCount } from '#server/ground/shown-count.ts';

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
  /** The contact is who a visitor says they are, by an address that nobody verified. */
  contactClaimed: boolean;
  assigneeName: string | null;
  lastMessageAt: Date;
};

/** A file that came with a message. It is served at `/attachments/<id>`. */
export type AttachmentView = { id: string; name: string; contentType: string; sizeBytes: number };

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

/** What stands in a conversation, oldest first. */
export type ThreadItem =
  | {
      kind: 'message';
      id: string;
      fromContact: boolean;
      authorName: string | null;
      /** Written by the AI agent, a flow or the service itself, and not by somebody in person. */
      byItself: boolean;
      /** Written by a workflow through the platform, as that teammate. */
      throughPlatform: boolean;
      /** Blank when the message is its files alone. */
      content: string;
      attachments: AttachmentView[];
      /** How many files it had besides, which are not kept here. */
      filesElsewhere: number;
      sending: SendingView | null;
      createdAt: Date;
    }
  | {
      kind: 'note';
      id: string;
      authorName: string | null;
      /** The service's own note that somebody ran a workflow command. */
      isCommand: boolean;
      throughPlatform: boolean;
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

/** A part of what stands in a conversation, and where what came before it begins; null: there is nothing before. */
export type ThreadPage = { items: ThreadItem[]; earlier: string | null };

/** A time limit of a conversation. It runs while `pausedAt` and `stoppedAt` are null, and is overdue once `dueAt` has passed. */
export type ClockView = {
  kind: SlaKind;
  dueAt: Date;
  pausedAt: Date | null;
  stoppedAt: Date | null;
  breachedAt: Date | null;
};

/** One conversation, opened, with the newest of what stands in it. */
export type ConversationView = ThreadPage & {
  id: string;
  subject: string | null;
  status: ConversationStatus;
  channel: Channel;
  contactName: string | null;
  /** The contact is who a visitor says they are, by an address that nobody verified. */
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

/** Who may be chosen, and whether whoever looks may choose: what the opened conversation offers to change. */
export type ActionsView = {
  /** Why nothing can be changed, or null when it can. */
  problem: string | null;
  me: { id: string; name: string };
  teammates: { id: string; name: string }[];
  teams: { id: string; name: string }[];
};

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
