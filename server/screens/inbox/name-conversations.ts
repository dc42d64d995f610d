import { contactLabel } from '#server/contacts/contact-label.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { visibleById } from '#server/inbox/conversations/visible-conversations.ts';
import type { OtherConversation } from '#server/screens/inbox/thread-views.ts';
import type { MergeSide } from '#server/screens/inbox/views.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/** The columns that `otherConversation` needs. */
export const otherConversationSelect = {
  id: true,
  subject: true,
  contact: { select: { id: true, firstName: true, lastName: true, email: true, phone: true } },
} satisfies Prisma.ConversationSelect;

type Selected = Prisma.ConversationGetPayload<{ select: typeof otherConversationSelect }>;

/** Returns the title of a conversation for a link: its subject, or else its contact. */
export function otherConversation({ id, subject, contact }: Selected): OtherConversation {
  return { id, title: subject ?? calledAs(contact) ?? 'Unknown contact' };
}

/** Returns the label of a contact in lists and conversations; null without a contact. */
export function calledAs(contact: Selected['contact']): string | null {
  return contact && contactLabel({ ...contact, email: shownEmail(contact.email) });
}

/** Returns the titles, contacts and channels of the conversations that a teammate sees, by id. No round trip without ids. */
export async function nameConversations(
  db: Db,
  {
    workspaceId,
    visibility,
    ids,
  }: { workspaceId: string; visibility?: Visibility | null | undefined; ids: string[] },
): Promise<Map<string, MergeSide>> {
  if (ids.length === 0) return new Map();
  const found = await db.conversation.findMany({
    where: { workspaceId, id: { in: ids }, ...visibleById(visibility) },
    select: { ...otherConversationSelect, channel: true },
    relationLoadStrategy: 'join',
  });
  return new Map(
    found.map((row) => {
      const { contact, channel } = row;
      const [email, phone] = [contact?.email ? shownEmail(contact.email) : null, contact?.phone ?? null];
      return [
        row.id,
        {
          ...otherConversation(row),
          contactId: contact?.id ?? null,
          contactName: calledAs(contact),
          channel,
          address: channel === 'whatsapp' ? (phone ?? email) : (email ?? phone),
        },
      ];
    }),
  );
}
