import { linkCompany } from '#server/contacts/company-of-email.ts';
import { contactRecord } from '#server/contacts/contact-record.ts';
import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import { lockAddresses } from '#server/contacts/lock-addresses.ts';
import { recordUpdate, writeContact } from '#server/contacts/write-contact.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { Refusal, refusalIn } from '#server/core/errors.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { changeEach, linkToOwner } from '#server/inbox/claimed-addresses/link-contact.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';

const actor = { kind: 'contact' } as const;

/** Returns what the page of a verification link shows; null when it has expired or was used. Changes nothing. */
export async function findVerification(
  token: string,
): Promise<{ workspaceName: string; email: string } | null> {
  const found = await db().addressVerification.findFirst({
    where: { tokenHash: digest(token), expiresAt: { gt: new Date() }, workspace: { deletedAt: null } },
    select: { email: true, workspace: { select: { name: true } } },
  });
  return found && { workspaceName: found.workspace.name, email: found.email };
}

/**
 * Confirms a claimed address by its mailed link, once (docs/rulings.md 3.13). If another contact has the address, the
 * claiming contact is linked to it. Otherwise the address becomes the contact's own, which emits
 * `contact.updated` for programs.
 * @throws Refusal when the link has expired or was used, or the contact claims another address now
 */
export async function verifyAddress(token: string): Promise<{ email: string }> {
  try {
    return await verifyOnce(token);
  } catch (error) {
    // A contact with this address was created in the meantime: link to it.
    if (!isUniqueViolation(error)) throw error;
    return verifyOnce(token);
  }
}

function verifyOnce(token: string): Promise<{ email: string }> {
  return inTransaction(async (tx) => {
    const where = { tokenHash: digest(token) };
    const found = await tx.addressVerification.findFirst({ where, select: { workspaceId: true } });
    // Before the link is used: a merge, which also holds this lock, deletes the links of its contact.
    if (found) await lockAddresses(tx, found);
    const [used] = await tx.$queryRaw<{ workspaceId: string; contactId: string; email: string }[]>`
      delete from address_verifications v using contacts p, workspaces w
      where v.token_hash = ${digest(token)} and v.expires_at > now() and w.id = v.workspace_id and w.deleted_at is null
        and p.id = v.contact_id and p.claimed_email = v.email and p.email is null
      returning v.workspace_id as "workspaceId", v.contact_id as "contactId", v.email`;
    if (!used) throw new Refusal('forbidden', 'This link has expired or was used before.');
    const { workspaceId, contactId, email } = used;
    const [owner] = await tx.$queryRaw<{ id: string | null }[]>`
      select ${contactIdWithEmail({ workspaceId, email })} as id`;
    const ownerId = owner?.id ?? null;
    if (ownerId === null) await adoptAddress(tx, used);
    else await linkToOwner(tx, { workspaceId, contactId, ownerId, email, actor }).catch(hideErasure);
    log().info({ workspaceId, contactId, linked: ownerId !== null }, 'address.verified');
    return { email };
  });
}

/** Replaces a refusal that is for teammates: the page is public, and the link works again after the erasure. */
function hideErasure(error: unknown): never {
  if (refusalIn(error)?.refusal !== 'invalid') throw error;
  throw new Refusal('forbidden', 'This address cannot be confirmed now. Open the link again later.');
}

/** Makes the claimed address the contact's own. The visitor's later conversations are verified too. */
async function adoptAddress(
  tx: Tx,
  { workspaceId, contactId, email }: { workspaceId: string; contactId: string; email: string },
): Promise<void> {
  await tx.visitor.updateMany({ where: { workspaceId, contactId }, data: { contactClaimed: false } });
  const change = changeOf({
    columns: { contactClaimed: false },
    entries: [{ kind: 'address_verified', data: { email } }],
  });
  await changeEach(tx, { workspaceId, where: { contactId }, actor, change });
  // Before the address is written.
  const isLinked = await linkCompany(tx, { workspaceId, id: contactId, email });
  const written = await writeContact(
    tx,
    { workspaceId, id: contactId, columns: { email, claimedEmail: null } },
    Prisma.sql`true`,
  );
  if (!written) return;
  const before = contactRecord(isLinked ? { ...written.before, company: null } : written.before);
  await recordUpdate(tx, { workspaceId, actor, before, contact: contactRecord(written.contact) });
}

/** Removes expired links. */
export function removeExpiredVerifications(): Promise<number> {
  return removeInBatches(`
    delete from address_verifications where token_hash in (
      select token_hash from address_verifications where expires_at < now()
      limit ${BATCH_ROWS} for update skip locked)`);
}
