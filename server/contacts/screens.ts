import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { contactName, contactSelect } from '#server/contacts/contact-record.ts';
import { listConversations } from '#server/conversations/list-conversations.ts';
import { db } from '#server/db.ts';
import { screenProcedure, screenRouter } from '#server/trpc.ts';

/** How many contacts a list shows. */
const LIST_MAX = 50;

/** Contacts in the app. */
export const contactsScreens = screenRouter({
  list: screenProcedure.query(async ({ ctx: { workspace } }) => {
    const contacts = await db().contact.findMany({
      where: { workspaceId: workspace.id, isTest: false },
      select: contactSelect,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: LIST_MAX,
      relationLoadStrategy: 'join',
    });
    return contacts.map(({ id, email, phone, company, createdAt, ...names }) => ({
      id,
      name: contactName(names),
      email,
      phone,
      companyName: company?.name ?? null,
      createdAt,
    }));
  }),
  open: screenProcedure
    .input(z.object({ id: z.string() }))
    .query(async ({ ctx: { workspace }, input: { id } }) => {
      const workspaceId = workspace.id;
      const contact = isUuid(id)
        ? await db().contact.findUnique({
            where: { workspaceId_id: { workspaceId, id } },
            select: contactSelect,
            relationLoadStrategy: 'join',
          })
        : null;
      if (!contact) return null;
      const { email, phone, city, language, company, createdAt } = contact;
      return {
        id,
        name: contactName(contact),
        email,
        phone,
        city,
        language,
        companyName: company?.name ?? null,
        createdAt,
        conversations: await listConversations(db(), { workspaceId, contactId: id }),
      };
    }),
});
