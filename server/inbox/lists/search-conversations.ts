import type { LogCursor } from '#server/core/cursor.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import type { SearchLanguage } from '#server/core/search-languages.ts';
import { searchWords } from '#server/core/text.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { type ConversationsPage, readConversations } from '#server/inbox/conversations/list-by-change.ts';
import { findPositions } from '#server/inbox/lists/find-positions.ts';
import { NEWEST } from '#server/inbox/lists/inbox-order.ts';

/**
 * Returns conversations with words, as the inbox finds them, newest message first after a position. A page of a rare word can be
 * short or empty and still have a next one.
 * @param limit at most 100
 */
export async function searchConversations(
  db: SqlDb,
  {
    after,
    limit,
    ...filter
  }: {
    workspaceId: string;
    search: string;
    language: SearchLanguage;
    status?: ConversationStatus | undefined;
    after: LogCursor | null;
    limit: number;
  },
): Promise<ConversationsPage> {
  if (searchWords(filter.search) === null) return { conversations: [], next: null };
  const { positions, next } = await findPositions(db, filter, { section: NEWEST, after, rows: limit });
  const ids = positions.map(({ id }) => id);
  return { conversations: await readConversations(db, { workspaceId: filter.workspaceId, ids }), next };
}
