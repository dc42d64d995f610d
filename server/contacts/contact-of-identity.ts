import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { CONTACT_MAX, type ContactFields, phoneDigits } from '#server/contacts/contact-fields.ts';
import { findSender } from '#server/contacts/find-or-create-contact.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { cleanName, truncateText } from '#server/core/text.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';

/** Who somebody is on a channel, as its provider says. */
export type ChannelIdentity = {
  channel: Channel;
  /** The provider's id of our account where its ids of people hold for one account alone; else empty. */
  scope: string;
  externalId: string;
  /** Other ids of the same person there. */
  aliases?: string[];
  name: string | null;
  phone: string | null;
  email?: string | null;
};

/**
 * The contact who is somebody on a channel: found by the provider's id of them; else linked, when the workspace knows the
 * phone number or address of one contact and not by a claim alone; else somebody new, with what the provider says of them.
 * A contact who is there keeps what is known of them, whatever the provider says now (decisions: conversations and
 * contacts, 18). Two messages of one person at once follow one another here. Emits `contact.created` for someone new.
 * @returns the contact's id
 */
export async function contactOfIdentity(
  tx: SqlDb,
  { workspaceId, identity, now }: { workspaceId: string; identity: ChannelIdentity; now: Date },
): Promise<string> {
  const { channel, scope, externalId, aliases = [] } = identity;
  const ids = [externalId, ...aliases];
  // In one order, so that no one waits for one who waits for them.
  for (const id of ids.toSorted()) {
    const key = `identity:${workspaceId}:${channel}:${scope}:${id}`;
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  }
  const said = whatIsSaid(identity);
  const found = await tx.$queryRaw<StoredIdentity[]>`
    select id, contact_id as "contactId", external_id as "externalId", name, phone from contact_identities
    where workspace_id = ${workspaceId}::uuid and channel = ${channel}::channel and scope = ${scope}
      and external_id = any (${ids}::text[])`;
  const missing = ids.filter((id) => found.every((each) => each.externalId !== id));
  const addIdentities = (contactId: string) =>
    tx.$executeRaw`
      insert into contact_identities (id, workspace_id, contact_id, channel, scope, external_id, name, phone)
      select i.id, ${workspaceId}::uuid, ${contactId}::uuid, ${channel}::channel, ${scope}::text, i.external_id,
        ${said.name ?? null}::text, ${said.phone ?? null}::text
      from unnest(${missing.map(() => uuidv7())}::uuid[], ${missing}::text[]) as i (id, external_id)`;
  const known = found.find((each) => each.externalId === externalId) ?? found[0];
  if (known) {
    if (missing.length > 0) await addIdentities(known.contactId);
    const [name, phone] = [said.name ?? known.name, said.phone ?? known.phone];
    if (name !== known.name || phone !== known.phone) {
      await tx.$executeRaw`
        update contact_identities set name = ${name}::text, phone = ${phone}::text, updated_at = ${now}::timestamptz
        where id = ${known.id}::uuid`;
    }
    return known.contactId;
  }
  const contactId =
    (await findByHints(tx, { workspaceId, ...said })) ??
    (await findSender(tx, {
      workspaceId,
      writer: { fields: await unclaimedFields(tx, workspaceId, said) },
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

type Said = Pick<ContactFields, 'name' | 'phone' | 'email'>;

/** What the provider says, as a contact's fields may be; what does not fit one is left out. */
function whatIsSaid({ name, phone, email }: ChannelIdentity): Said {
  const number = truncateText(phone?.trim() ?? '', CONTACT_MAX.phone);
  return {
    name: cleanName(truncateText(name?.trim() ?? '', CONTACT_MAX.name)) || undefined,
    phone: phoneDigits(number) === null ? undefined : number,
    email: addressShape.safeParse(email?.slice(0, CONTACT_MAX.email + 1).toLowerCase()).data,
  };
}

/**
 * The one contact of whom the workspace knows this phone number or address. A number of two contacts is no one's; an
 * address that only a visitor of the web chat ever claimed says nothing.
 */
async function findByHints(
  tx: SqlDb,
  { workspaceId, phone, email }: Said & { workspaceId: string },
): Promise<string | undefined> {
  if (phone !== undefined) {
    const found = await tx.$queryRaw<{ id: string }[]>`
      select id from contacts
      where workspace_id = ${workspaceId}::uuid and phone_digits = ${phoneDigits(phone)} and not is_test limit 2`;
    if (found.length === 1) return found[0]?.id;
  }
  if (email === undefined) return undefined;
  const [found] = await findByEmail(tx, workspaceId, email);
  return found && !found.isClaimed ? found.id : undefined;
}

/** A claimed address stays with whom it was claimed for: the contact who comes now goes without it. */
async function unclaimedFields(tx: SqlDb, workspaceId: string, said: Said): Promise<Said> {
  if (said.email === undefined) return said;
  const taken = (await findByEmail(tx, workspaceId, said.email)).length > 0;
  return taken ? { ...said, email: undefined } : said;
}

/** A contact was claimed into being when nothing but the conversation in which the address was typed came with them. */
async function findByEmail(tx: SqlDb, workspaceId: string, email: string) {
  return tx.$queryRaw<{ id: string; isClaimed: boolean }[]>`
    select id, exists (
      select from conversations c where c.workspace_id = p.workspace_id and c.contact_id = p.id
        and c.contact_claimed and c.created_at = p.created_at) as "isClaimed"
    from contacts p
    where workspace_id = ${workspaceId}::uuid and email = ${email} and not is_test`;
}
