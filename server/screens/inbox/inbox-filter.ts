import type { Channel, ConversationStatus } from '#server/generated/prisma/enums.ts';

/** What the inbox is narrowed to; merged conversations and tests of the AI agent are never in it. */
export type InboxFilter = {
  workspaceId: string;
  status?: ConversationStatus | undefined;
  /** A teammate's id, or null for conversations that no one has. */
  assigneeId?: string | null | undefined;
  teamId?: string | undefined;
  channel?: Channel | undefined;
  /** Without regard to case. */
  tag?: string | undefined;
  /** Words of the contact's name, email or phone, of the subject, or of one message. */
  search?: string | undefined;
};

/** The statuses that a filter lets through. */
export function statusesOf({ status }: InboxFilter): ConversationStatus[] {
  return status ? [status] : ['open', 'pending', 'solved', 'closed'];
}
