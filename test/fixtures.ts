import { randomUUID } from 'node:crypto';
import type { Teammate } from '#server/contract/records/record-schemas.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { db } from '#server/ground/db.ts';
import { contactSelect, type SelectedContact } from '#server/people/contacts/contact-record.ts';

/** A workspace and a member of it; every connection is one. */
export type Stage = { workspaceId: string; teammate: Teammate };

export type ConversationColumns = Partial<Prisma.ConversationUncheckedCreateInput>;

/** Before anything that a test lets happen. */
export const LONG_AGO = new Date('2026-01-02T03:04:05.678Z');

/** A contact of a company. */
export async function makeContact(
  workspaceId: string,
  columns: Partial<Prisma.ContactUncheckedCreateInput> = {},
): Promise<SelectedContact> {
  const company = await db().company.create({ data: { workspaceId, name: 'Engines' } });
  return db().contact.create({
    data: {
      workspaceId,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: `${randomUUID()}@example.com`,
      companyId: company.id,
      createdAt: LONG_AGO,
      ...columns,
    },
    select: contactSelect,
  });
}

/** A conversation with contact, assignee, team and a tag, in which nothing has happened since long ago. */
export async function makeConversation(
  { workspaceId, teammate }: Stage,
  columns: ConversationColumns = {},
): Promise<string> {
  const contact = await makeContact(workspaceId);
  const team = await db().team.create({ data: { workspaceId, name: `Support ${randomUUID()}` } });
  const { id } = await db().conversation.create({
    data: {
      workspaceId,
      channel: 'email',
      subject: 'Order',
      contactId: contact.id,
      teamId: team.id,
      assigneeId: teammate.id,
      createdAt: LONG_AGO,
      statusChangedAt: LONG_AGO,
      assignedAt: LONG_AGO,
      resolvedAt: LONG_AGO,
      ...columns,
    },
  });
  await db().conversationTag.create({
    data: { workspaceId, conversationId: id, key: 'shipping', name: 'Shipping', createdAt: LONG_AGO },
  });
  return id;
}
