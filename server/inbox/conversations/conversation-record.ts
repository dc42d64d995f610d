import { contactRecord, contactSelect, type SelectedContact } from '#server/contacts/contact-record.ts';
import type { ConversationRecord, Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';
import { unlessDeleted } from '#server/core/unless-deleted.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** The Prisma selection that `conversationRecord` needs. */
export const conversationSelect = {
  id: true,
  subject: true,
  status: true,
  priority: true,
  channel: true,
  createdAt: true,
  updatedAt: true,
  resolvedAt: true,
  tags: { select: { name: true }, orderBy: [{ createdAt: 'asc' }, { position: 'asc' }, { key: 'asc' }] },
  assignee: { select: { user: { select: { id: true, name: true, email: true } } } },
  team: { select: { id: true, name: true, deletedAt: true } },
  contact: { select: contactSelect },
} satisfies Prisma.ConversationSelect;

type SelectedConversation = Prisma.ConversationGetPayload<{ select: typeof conversationSelect }>;

/** The columns of `conversationSelect` in SQL, for `conversations c` with `CONVERSATION_JOINS`. */
export const CONVERSATION_COLUMNS = Prisma.raw(`
  c.id, c.subject, c.status, c.priority, c.channel, c.created_at as "createdAt", c.updated_at as "updatedAt",
  c.resolved_at as "resolvedAt",
  array(select g.name from conversation_tags g where g.conversation_id = c.id order by g.created_at, g.position, g.key)
    as tags,
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as assignee,
  case when t.id is not null then json_build_object('id', t.id, 'name', t.name) end as team,
  case when k.id is not null then json_build_object('id', k.id, 'firstName', k.first_name, 'lastName', k.last_name,
    'email', k.email, 'phone', k.phone, 'city', k.city, 'language', k.language, 'createdAt', k.created_at,
    'company', case when o.id is not null then json_build_object('id', o.id, 'name', o.name) end) end as contact`);

export const CONVERSATION_JOINS = Prisma.raw(`
  left join users u on u.id = c.assignee_id
  left join teams t on t.id = c.team_id and t.deleted_at is null
  left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
  left join companies o on o.workspace_id = k.workspace_id and o.id = k.company_id and o.deleted_at is null`);

/** A row of `CONVERSATION_COLUMNS`. Timestamps inside JSON columns are strings. */
export type ConversationColumns = Pick<
  SelectedConversation,
  'id' | 'subject' | 'status' | 'priority' | 'channel' | 'createdAt' | 'updatedAt' | 'resolvedAt'
> & {
  tags: string[];
  assignee: Teammate | null;
  team: { id: string; name: string } | null;
  contact: (Omit<SelectedContact, 'company' | 'createdAt'> & { createdAt: string; company: Company }) | null;
};
type Company = { id: string; name: string } | null;

/** Converts a row of `CONVERSATION_COLUMNS` into the shape of `conversationSelect`. */
export function selectedConversation(row: ConversationColumns): SelectedConversation {
  const { tags, assignee, team, contact } = row;
  return {
    ...row,
    tags: tags.map((name) => ({ name })),
    assignee: assignee && { user: assignee },
    team: team && { ...team, deletedAt: null },
    contact: contact && {
      ...contact,
      createdAt: new Date(contact.createdAt),
      company: contact.company && { ...contact.company, deletedAt: null },
    },
  };
}

/** Serializes a conversation, for responses, events and samples. */
export function conversationRecord(conversation: SelectedConversation): ConversationRecord {
  const { assignee, team, contact } = conversation;
  return {
    id: conversation.id,
    subject: conversation.subject,
    status: conversation.status,
    priority: conversation.priority,
    channel: conversation.channel,
    tags: conversation.tags.map((tag) => tag.name),
    assignee: assignee && { id: assignee.user.id, name: assignee.user.name, email: assignee.user.email },
    team: unlessDeleted(team),
    contact: contact && contactRecord(contact),
    created_at: timestamp(conversation.createdAt),
    updated_at: timestamp(conversation.updatedAt),
    resolved_at: timestampOrNull(conversation.resolvedAt),
    url: conversationUrl(conversation.id),
  };
}

/** Returns the URL of the conversation in the inbox (docs/spec.md §2). */
export function conversationUrl(id: string): string {
  return `${settings().BASE_URL}/inbox?selected=${id}`;
}

/**
 * Returns whether the API may show a conversation, merged or not. Tests of the AI agent, spam and deleted conversations do
 * not exist for the API (docs/rulings.md 3.15, 3.34).
 */
export async function conversationExists(which: { workspaceId: string; id: string }): Promise<boolean> {
  const where = { workspaceId_id: which, isTest: false, removal: null };
  return (await db().conversation.findUnique({ where, select: { id: true } })) !== null;
}
