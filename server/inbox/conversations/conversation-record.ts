import {
  COMPANY_JOIN,
  CONTACT_JSON,
  contactRecord,
  type SelectedContact,
} from '#server/contacts/contact-record.ts';
import type { ConversationRecord, Teammate } from '#server/contract/record-schemas.ts';
import { settings } from '#server/core/env.ts';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';
import { type Conversation, Prisma } from '#server/generated/prisma/client.ts';

/** The columns that `conversationRecord` needs, of `conversations c` with `CONVERSATION_JOINS`. */
export const CONVERSATION_COLUMNS = Prisma.raw(`
  c.id, c.subject, c.status, c.priority, c.channel, c.created_at as "createdAt", c.updated_at as "updatedAt",
  c.resolved_at as "resolvedAt",
  array(select g.name from conversation_tags g where g.conversation_id = c.id order by g.created_at, g.position, g.key)
    as tags,
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as assignee,
  case when t.id is not null then json_build_object('id', t.id, 'name', t.name) end as team,
  case when k.id is not null then ${CONTACT_JSON} end as contact`);

export const CONVERSATION_JOINS = Prisma.raw(`
  left join users u on u.id = c.assignee_id
  left join teams t on t.id = c.team_id and t.deleted_at is null
  left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id ${COMPANY_JOIN}`);

/** A row of `CONVERSATION_COLUMNS`. */
export type ConversationColumns = Pick<
  Conversation,
  'id' | 'subject' | 'status' | 'priority' | 'channel' | 'createdAt' | 'updatedAt' | 'resolvedAt'
> & {
  tags: string[];
  assignee: Teammate | null;
  team: { id: string; name: string } | null;
  contact: SelectedContact | null;
};

/** Serializes a conversation, for responses, events and samples. */
export function conversationRecord(conversation: ConversationColumns): ConversationRecord {
  const { id, subject, status, priority, channel, tags, assignee, team, contact } = conversation;
  return {
    id,
    subject,
    status,
    priority,
    channel,
    tags,
    assignee,
    team,
    contact: contact && contactRecord(contact),
    created_at: timestamp(conversation.createdAt),
    updated_at: timestamp(conversation.updatedAt),
    resolved_at: timestampOrNull(conversation.resolvedAt),
    url: conversationUrl(id),
  };
}

/** Returns the URL of the conversation in the inbox (docs/spec.md §2). */
export function conversationUrl(id: string): string {
  return `${settings().BASE_URL}/inbox?selected=${id}`;
}
