import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { CONTACT_MAX, type ContactFields, phoneDigits } from '#server/contacts/contact-fields.ts';
import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import { findOrCreateSender } from '#server/contacts/find-or-create-contact.ts';
import { phoneKey } from '#server/contacts/phone-key.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { asciiEmail } from '#server/core/email-domain.ts';
import { cleanName, truncateText } from '#server/core/text.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';

/** A person's identity on a channel, as the provider reports it. */
export type ChannelIdentity = {
  channel: Channel;
  /** The provider's id of our account if its ids of people are only valid per account; otherwise empty. */
  scope: string;
  externalId: string;
  /** Other ids of the same person on this channel. */
  aliases?: string[];
  name: string | null;
  phone: string | null;
  email?: string | null;
  /** An address that the provider has not verified. Stored on a new contact, and finds none (docs/rulings.md 3.13). */
  claimedEmail?: string | null;
};

/**
 * Finds or creates the contact of a channel identity. Order: the provider's id; then the only contact with
 * the phone number, or the contact with the email address; then a new contact with the reported fields.
 * Existing contacts keep their fields, whatever the provider reports (docs/rulings.md 3.18). Simultaneous
 * messages of one person are serialized. Emits `contact.created` for a new contact.
 * @returns the contact's id
 */
export async function contactOfIdentity(
  tx: SqlDb,
  { workspaceId, identity, now }: { workspaceId: string; identity: ChannelIdentity; now: Date },
): Promise<string> {
  const { channel, scope, externalId, aliases = [], claimedEmail } = identity;
  const ids = [externalId, ...aliases];
  // Sorted, to prevent deadlocks.
  for (const id of ids.toSorted()) {
    const key = `identity:${workspaceId}:${channel}:${scope}:${id}`;
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  }
  const reported = reportedFields(identity);
  const found = await tx.$queryRaw<StoredIdentity[]>`
    select id, contact_id as "contactId", external_id as "externalId", name, phone from contact_identities
    where workspace_id = ${workspaceId}::uuid and channel = ${channel}::channel and scope = ${scope}
      and external_id = any (${ids}::text[])`;
  const missing = ids.filter((id) => found.every((each) => each.externalId !== id));
  const addIdentities = (contactId: string) =>
    tx.$executeRaw`
      insert into contact_identities (id, workspace_id, contact_id, channel, scope, external_id, name, phone)
      select i.id, ${workspaceId}::uuid, ${contactId}::uuid, ${channel}::channel, ${scope}::text, i.external_id,
        ${reported.name ?? null}::text, ${reported.phone ?? null}::text
      from unnest(${missing.map(() => uuidv7())}::uuid[], ${missing}::text[]) as i (id, external_id)`;
  const known = found.find((each) => each.externalId === externalId) ?? found[0];
  if (known) {
    if (missing.length > 0) await addIdentities(known.contactId);
    const [name, phone] = [reported.name ?? known.name, reported.phone ?? known.phone];
    if (name !== known.name || phone !== known.phone) {
      await tx.$executeRaw`
        update contact_identities set name = ${name}::text, phone = ${phone}::text, updated_at = ${now}::timestamptz
        where id = ${known.id}::uuid`;
    }
    return known.contactId;
  }
  const contactId =
    (await findByHints(tx, { workspaceId, ...reported })) ??
    (await findOrCreateSender(tx, {
      workspaceId,
      writer: { fields: reported, claimedEmail: parseAddress(claimedEmail) },
      isTest: false,
      now,
    }));
  await addIdentities(contactId);
  return contactId;
}

type StoredIdentity = {
  id: string;
  contactId: string;
  externalId: string;
  name: string | null;
  phone: string | null;
};

const addressShape = z.string().max(CONTACT_MAX.email).pipe(z.email());

function parseAddress(text: string | null | undefined): string | undefined {
  return addressShape.safeParse(text && asciiEmail(text.slice(0, CONTACT_MAX.email + 1))).data;
}

type ReportedFields = Pick<ContactFields, 'name' | 'phone' | 'email'>;

/** Returns the reported values that are valid for a contact. */
function reportedFields({ name, phone, email }: ChannelIdentity): ReportedFields {
  const number = truncateText(phone?.trim() ?? '', CONTACT_MAX.phone);
  return {
    name: cleanName(truncateText(name?.trim() ?? '', CONTACT_MAX.name)) || undefined,
    phone: phoneDigits(number) === null ? undefined : number,
    email: parseAddress(email),
  };
}

/**
 * Finds the only contact with this phone number or email address. A phone number of two contacts identifies
 * neither. A claimed address identifies no one.
 */
async function findByHints(
  tx: SqlDb,
  { workspaceId, phone, email }: ReportedFields & { workspaceId: string },
): Promise<string | undefined> {
  if (phone !== undefined) {
    const found = await tx.$queryRaw<{ id: string }[]>`
      select id from contacts
      where workspace_id = ${workspaceId}::uuid and not is_test
        and (phone_digits = ${phoneDigits(phone)} or phone_key = ${phoneKey(phone)} and phone_key <> '') limit 2`;
    if (found.length === 1) return found[0]?.id;
  }
  if (email === undefined) return undefined;
  const [found] = await tx.$queryRaw<{ id: string }[]>`
    select id from contacts
    where workspace_id = ${workspaceId}::uuid and id = ${contactIdWithEmail({ workspaceId, email })} and not is_test`;
  return found?.id;
}
