import { contactLabel } from '#server/contacts/contact-label.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { OtherConversation } from '#server/screens/inbox/views.ts';

/** What a query must select for `otherConversation`. */
export const otherConversationSelect = {
  id: true,
  subject: true,
  contact: { select: { id: true, firstName: true, lastName: true, email: true, phone: true } },
} satisfies Prisma.ConversationSelect;

/** The contact of it as a value of JSON, in a statement that joined `contacts` under this name. */
export function contactOf(alias: string): Prisma.Sql {
  return Prisma.raw(`case when ${alias}.id is not null then json_build_object('id', ${alias}.id,
    'firstName', ${alias}.first_name, 'lastName', ${alias}.last_name, 'email', ${alias}.email,
    'phone', ${alias}.phone) end`);
}

type Selected = Prisma.ConversationGetPayload<{ select: typeof otherConversationSelect }>;

/** A conversation as another one names it: by its subject, or else by its contact. */
export function otherConversation({ id, subject, contact }: Selected): OtherConversation {
  return { id, title: subject ?? calledAs(contact) ?? 'Unknown contact' };
}

/** What a contact is called where conversations are listed or opened; null when there is none. */
export function calledAs(contact: Selected['contact']): string | null {
  return contact && contactLabel(contact);
}

/** Conversations of a workspace by id, to be named and linked; no round trip for none. */
export async function nameConversations(
  db: Db,
  { workspaceId, ids }: { workspaceId: string; ids: string[] },
): Promise<Map<string, OtherConversation>> {
  if (ids.length === 0) return new Map();
  const found = await db.conversation.findMany({
    where: { workspaceId, id: { in: ids } },
    select: otherConversationSelect,
    relationLoadStrategy: 'join',
  });
  return new Map(found.map((row) => [row.id, otherConversation(row)]));
}
