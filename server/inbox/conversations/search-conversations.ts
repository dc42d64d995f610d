import { validate as isUuid } from 'uuid';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/pools.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_JOINS,
  type ConversationColumns,
  conversationRecord,
} from '#server/inbox/conversations/conversation-record.ts';

/** Maximum number of search results (docs/spec.md §8). */
const CONVERSATION_SEARCH_MAX = 10;

const BY_ID = {
  name: 'find-conversation',
  text: `
    select ${CONVERSATION_COLUMNS.text} from conversations c ${CONVERSATION_JOINS.text}
    where c.workspace_id = $1 and c.id = $2 and c.merged_into_id is null and not c.is_test and c.removal is null`,
};

const BY_EMAIL = {
  name: 'find-conversations-of',
  text: `
    select ${CONVERSATION_COLUMNS.text}
    from (
      select c.* from contacts s join conversations c on c.workspace_id = s.workspace_id and c.contact_id = s.id
      where s.workspace_id = $1 and s.id = coalesce(
          (select id from contacts where workspace_id = $1 and email = $2),
          (select contact_id from contact_identities
            where workspace_id = $1 and channel = 'email' and scope = '' and external_id = $2))
        and c.merged_into_id is null and not c.is_test and c.removal is null
        and ($3::conversation_status is null or c.status = $3)
      order by c.created_at desc, c.id desc limit ${CONVERSATION_SEARCH_MAX}
    ) c ${CONVERSATION_JOINS.text}
    order by c.created_at desc, c.id desc`,
};

/** Returns a list with the conversation, or an empty one. Never finds merged, test, spam or deleted conversations. */
export async function findConversation(workspaceId: string, id: string): Promise<ConversationRecord[]> {
  return isUuid(id) ? read(BY_ID, [workspaceId, id]) : [];
}

/**
 * Returns the newest conversations of the contact with an email address, or with a merged contact's address, at most `CONVERSATION_SEARCH_MAX`, optionally in
 * one status. Leaves out merged, test, spam and deleted conversations. One round trip.
 * @param email lowercase
 */
export function findConversationsOf(
  workspaceId: string,
  { email, status }: { email: string; status?: ConversationStatus | undefined },
): Promise<ConversationRecord[]> {
  return read(BY_EMAIL, [workspaceId, email, status ?? null]);
}

async function read(
  statement: { name: string; text: string },
  values: (string | null)[],
): Promise<ConversationRecord[]> {
  const { rows } = await pool().query<ConversationColumns>({ ...statement, values });
  return rows.map(conversationRecord);
}
