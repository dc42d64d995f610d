import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { contactSelect, type SelectedContact } from '#server/contacts/contact-record.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, pool } from '#server/core/database/db.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

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
  const [companyId, contactId, teamId] = [uuidv7(), uuidv7(), uuidv7()];
  await pool().query(
    `with company as (
       insert into companies (id, workspace_id, name) values ($2, $1, 'Engines')
     ), contact as (
       insert into contacts (id, workspace_id, company_id, first_name, last_name, email, created_at)
       values ($3, $1, $2, 'Ada', 'Lovelace', $5, $7)
     )
     insert into teams (id, workspace_id, name) values ($4, $1, $6)`,
    [
      workspaceId,
      companyId,
      contactId,
      teamId,
      `${randomUUID()}@example.com`,
      `Support ${randomUUID()}`,
      LONG_AGO,
    ],
  );
  const { id } = await db().conversation.create({
    data: {
      workspaceId,
      channel: 'email',
      subject: 'Order',
      contactId,
      teamId,
      assigneeId: teammate.id,
      createdAt: LONG_AGO,
      statusChangedAt: LONG_AGO,
      assignedAt: LONG_AGO,
      resolvedAt: LONG_AGO,
      ...columns,
    },
    select: { id: true },
  });
  await pool().query(
    `insert into conversation_tags (workspace_id, conversation_id, key, name, created_at)
     values ($1, $2, 'shipping', 'Shipping', $3)`,
    [workspaceId, id, LONG_AGO],
  );
  return id;
}
