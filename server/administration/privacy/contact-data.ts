import type { Readable } from 'node:stream';
import { type ContactScope, loadContactScope } from '#server/administration/privacy/contact-scope.ts';
import {
  conversationEntries,
  fieldValueData,
  fieldValueSelect,
  isShownValue,
  messageEntries,
} from '#server/administration/privacy/conversation-data.ts';
import { jsonEntry, type ZipEntry, zipOf } from '#server/administration/privacy/write-zip.ts';
import { contactLabel } from '#server/contacts/contact-label.ts';
import { contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

/**
 * Returns all data of a contact as a ZIP archive: details, conversations with messages, notes and ratings, files and original
 * mails, and what the contact wrote in conversations of others. Includes spam, deleted and merged conversations. Rows are read
 * in pages and files one after the other, so memory is bounded. Adds an audit entry.
 * @param which.contactId any text
 * @throws Refusal unless `by` is an owner or admin now, or when the workspace has no such contact
 */
export async function exportContact(which: {
  workspaceId: string;
  contactId: string;
  by: Teammate;
}): Promise<{ name: string; archive: Readable }> {
  const { workspaceId, by } = which;
  const { scope, contactName } = await asManager({ workspaceId, by }, async (tx) => {
    const scope = await loadContactScope(tx, which);
    const { contactId } = scope;
    const contactName = contactLabel(
      await tx.contact.findUniqueOrThrow({
        where: { workspaceId_id: { workspaceId, id: contactId } },
        select: contactSelect,
      }),
    );
    const data = { contactId, contactName };
    await addAuditEntry(tx, { workspaceId, kind: 'contact_exported', by, data });
    return { scope, contactName };
  });
  return { name: `${contactName}.zip`, archive: zipOf(contactEntries(scope)) };
}

async function* contactEntries(scope: ContactScope): AsyncGenerator<ZipEntry> {
  const { workspaceId, contactId, emails } = scope;
  yield jsonEntry('contact.json', await readDetails(scope));
  const own = { workspaceId, OR: [{ contactId }, { linkedFromId: contactId }] };
  yield* conversationEntries(own);
  const elsewhere = { workspaceId, authorAddress: { in: emails }, conversation: notOf(contactId) };
  if ((await db().message.count({ where: elsewhere, take: 1 })) > 0)
    yield* messageEntries('in-other-conversations', elsewhere);
}

/** Filter of the conversations of others. `NOT` of Prisma would leave out those without a contact. */
function notOf(contactId: string): Prisma.ConversationWhereInput {
  const isOther = { not: contactId };
  return {
    AND: [
      { OR: [{ contactId: null }, { contactId: isOther }] },
      { OR: [{ linkedFromId: null }, { linkedFromId: isOther }] },
    ],
  };
}

async function readDetails({ workspaceId, contactId, aliasIds }: ContactScope): Promise<object> {
  const contact = await db().contact.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId, id: contactId } },
    select: {
      ...contactSelect,
      claimedEmail: true,
      ratingsDeclinedAt: true,
      fieldValues: { select: fieldValueSelect, where: isShownValue },
      identities: true,
      visitors: { select: { createdAt: true, lastSeenAt: true } },
    },
  });
  return {
    exported_at: timestamp(new Date()),
    ...contactRecord(contact),
    claimed_email: contact.claimedEmail,
    ratings_declined_at: timestampOrNull(contact.ratingsDeclinedAt),
    custom_fields: fieldValueData(contact.fieldValues),
    merged_contact_ids: aliasIds,
    identities: contact.identities.map(({ channel, externalId, name, phone, createdAt }) => ({
      channel,
      id: externalId,
      name,
      phone,
      created_at: timestamp(createdAt),
    })),
    web_chats: contact.visitors.map(({ createdAt, lastSeenAt }) => ({
      created_at: timestamp(createdAt),
      last_seen_at: timestamp(lastSeenAt),
    })),
  };
}
