import type { ContactRecord } from '#server/contract/records/record-schemas.ts';
import type { Tx } from '#server/ground/db.ts';
import type { ContactFields } from '#server/people/contacts/contact-fields.ts';
import { contactRecord, type SelectedContact } from '#server/people/contacts/contact-record.ts';
import { insertContact } from '#server/people/contacts/insert-contact.ts';

/**
 * The contact with an email address, created when the address is new. Two calls at once make one contact: the
 * loser finds the winner's. Who creates one also records `contact.created`.
 * @param fields of someone new; an existing contact keeps its own
 */
export async function findOrCreateContact(
  tx: Tx,
  { workspaceId, fields, now }: { workspaceId: string; fields: ContactFields & { email: string }; now: Date },
): Promise<{ contact: ContactRecord; created: boolean }> {
  const find = { workspaceId, email: fields.email };
  const existing = await findByEmail(tx, find);
  if (existing) return { contact: existing, created: false };

  const inserted = await insertContact(tx, { workspaceId, fields, now });
  if (inserted.kind === 'inserted') return { contact: inserted.contact, created: true };
  const other = await findByEmail(tx, find);
  if (!other) throw new Error('The contact that has the address is not there.');
  return { contact: other, created: false };
}

type Found = Omit<SelectedContact, 'company'> & { company: { id: string; name: string } | null };

async function findByEmail(
  tx: Tx,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<ContactRecord | null> {
  const [found] = await tx.$queryRaw<Found[]>`
    select k.id, k.first_name as "firstName", k.last_name as "lastName", k.email, k.phone, k.city, k.language,
      k.created_at as "createdAt",
      case when o.id is not null then json_build_object('id', o.id, 'name', o.name) end as company
    from contacts k
    left join companies o on o.workspace_id = k.workspace_id and o.id = k.company_id and o.deleted_at is null
    where k.workspace_id = ${workspaceId}::uuid and k.email = ${email}`;
  if (!found) return null;
  const { company } = found;
  return contactRecord({ ...found, company: company && { ...company, deletedAt: null } });
}
