import type { Channel, ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';

export type { Channel, ConversationStatus, Priority };

/** A conversation as a row of the inbox list. */
export type ConversationRow = {
  id: string;
  subject: string | null;
  /** The newest message as one line of at most 140 characters, or null when there is none yet. */
  preview: string | null;
  status: ConversationStatus;
  channel: Channel;
  contactName: string | null;
  assigneeName: string | null;
  lastMessageAt: Date;
};

/** What stands in a conversation, oldest first. */
export type ThreadItem =
  | {
      kind: 'message';
      id: string;
      fromContact: boolean;
      authorName: string | null;
      /** Written by a workflow through the platform, as that teammate. */
      throughPlatform: boolean;
      content: string;
      /** A sentence when it was not delivered, or null. */
      deliveryProblem: string | null;
      createdAt: Date;
    }
  | {
      kind: 'note';
      id: string;
      authorName: string | null;
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
      createdAt: Date;
    };

/** One conversation, opened. */
export type ConversationView = ConversationRow & {
  priority: Priority;
  tags: string[];
  teamName: string | null;
  contact: {
    id: string;
    name: string | null;
    email: string | null;
    phone: string | null;
    companyName: string | null;
  } | null;
  createdAt: Date;
  items: ThreadItem[];
};
