import { validate as isUuid } from 'uuid';
import { contactName } from '#server/contacts/contact-record.ts';
import { conversationRow, conversationRowSelect } from '#server/conversations/list-conversations.ts';
import { threadItems, threadSelect } from '#server/conversations/thread-items.ts';
import type { ConversationView } from '#server/conversations/views.ts';
import type { Db } from '#server/db.ts';

/** One conversation of a workspace with all that stands in it, or null when there is none. */
export async function openConversation(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<ConversationView | null> {
  if (!isUuid(id)) return null;
  const found = await db.conversation.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    select: {
      ...conversationRowSelect,
      priority: true,
      createdAt: true,
      tags: { select: { name: true }, orderBy: [{ createdAt: 'asc' }, { position: 'asc' }, { key: 'asc' }] },
      team: { select: { name: true } },
      contact: {
        select: {
          id: true,
          firstName: true,
          lastName: true,
          email: true,
          phone: true,
          company: { select: { name: true } },
        },
      },
      ...threadSelect,
    },
    relationLoadStrategy: 'join',
  });
  if (!found) return null;
  const { contact } = found;
  const row = conversationRow(found);
  return {
    ...row,
    priority: found.priority,
    tags: found.tags.map(({ name }) => name),
    teamName: found.team?.name ?? null,
    contact: contact && {
      id: contact.id,
      name: contactName(contact),
      email: contact.email,
      phone: contact.phone,
      companyName: contact.company?.name ?? null,
    },
    createdAt: found.createdAt,
    items: threadItems(found, row.contactName),
  };
}
