import { listFields } from '#server/contacts/custom-fields.ts';
import { describeFieldValue, readFieldValues } from '#server/contacts/field-values.ts';
import { mergedFields } from '#server/contacts/merged-fields.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { COUNTED_MAX, type ShownCount, shown } from '#server/core/shown-count.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { isVisible } from '#server/inbox/conversations/visible-conversations.ts';
import { readContact } from '#server/screens/contacts/get-contact.ts';
import type { KnownContact, MergePreview } from '#server/screens/contacts/views.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/**
 * Returns what a merge of a contact into another one would do. Changes nothing.
 * @throws Refusal when the workspace lacks one of the contacts
 */
export async function previewMerge(
  db: Db,
  {
    workspace: { id: workspaceId, visibility },
    id,
    intoId,
  }: { workspace: Pick<MemberWorkspace, 'id' | 'visibility'>; id: string; intoId: string },
): Promise<MergePreview> {
  const [from, into] = await Promise.all([
    readContact(db, { workspaceId, id }),
    readContact(db, { workspaceId, id: intoId }),
  ]);
  if (!from || !into) throw notFound('The contact');
  const [moved, identities, customFields] = await Promise.all([
    countMoved(db, { workspaceId, visibility, id: from.id }),
    listIdentities(db, { workspaceId, id: from.id }),
    mergeCustomFields(db, { workspaceId, id: from.id, intoId: into.id }),
  ]);
  const fields = mergedFields(fieldsOf(into), fieldsOf(from));
  return { from, into, ...moved, identities, fields, customFields };
}

/** Returns the values that the remaining contact will have: its own, and those that only the merged one has. */
async function mergeCustomFields(
  db: Db,
  { workspaceId, id, intoId }: { workspaceId: string; id: string; intoId: string },
): Promise<MergePreview['customFields']> {
  const valuesOf = (contactId: string) =>
    readFieldValues(db, { workspaceId, subject: 'contact', ownerId: Prisma.sql`${contactId}::uuid` });
  const [fields, from, into] = await Promise.all([
    listFields(db, workspaceId),
    valuesOf(id),
    valuesOf(intoId),
  ]);
  return fields.flatMap((field) => {
    const [lost, value] = [from[field.id], into[field.id] ?? from[field.id]];
    if (value === undefined) return [];
    const shown = (each: string) => describeFieldValue(field, each);
    const isLost = lost !== undefined && lost !== value;
    return [{ name: field.name, value: shown(value), lost: isLost ? shown(lost) : null }];
  });
}

function fieldsOf({ name, email, phone, city, language, company }: KnownContact) {
  return { name, email, phone, city, language, company: company?.name ?? null };
}

/** Counts the conversations that the teammate sees, without merged ones, and their notes. The merge moves all. */
async function countMoved(
  db: Db,
  { workspaceId, visibility, id }: { workspaceId: string; visibility: Visibility | null; id: string },
): Promise<{ conversations: ShownCount; notes: ShownCount }> {
  const [found] = await db.$queryRaw<{ conversations: number; notes: number }[]>`
    with moved as materialized (
      select id from conversations
      where workspace_id = ${workspaceId}::uuid and contact_id = ${id}::uuid and merged_into_id is null
        and ${isVisible(visibility, 'conversations')}
      limit ${COUNTED_MAX + 1}::int
    )
    select (select count(*)::int from moved) as conversations,
      (select count(*)::int from (
        select from moved join notes n on n.conversation_id = moved.id limit ${COUNTED_MAX + 1}::int) noted) as notes`;
  return {
    conversations: shown(found?.conversations),
    notes: shown(found?.notes, (found?.conversations ?? 0) > COUNTED_MAX),
  };
}

/** Maximum number of identities to show. */
const IDENTITIES_MAX = 20;

async function listIdentities(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<MergePreview['identities']> {
  const found = await db.contactIdentity.findMany({
    where: { workspaceId, contactId: id },
    select: { channel: true, externalId: true, name: true, phone: true },
    orderBy: [{ channel: 'asc' }, { createdAt: 'asc' }],
    take: IDENTITIES_MAX,
  });
  return found.map(({ channel, externalId, name, phone }) => ({
    channel,
    label: name ?? phone ?? externalId,
  }));
}
