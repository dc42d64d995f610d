import { getDomain } from 'tldts';
import { isPublicMailProvider } from '#server/contacts/public-mail-providers.ts';
import { parseDomain, requireEmail } from '#server/contract/parse-email.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { invalid } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { BlockedKind } from '#server/generated/prisma/enums.ts';
import { findAddressOwner } from '#server/inbox/messages/refuse-own-address.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/** Maximum number of blocked senders of a workspace. */
export const BLOCKED_SENDERS_MAX = 5_000;

/** An entry of the block list. `label`: the name of a person who is blocked on a chat channel. */
export type BlockedSender = { kind: BlockedKind; value: string; label?: string | null };

/**
 * Adds a typed address or domain to the block list.
 * @returns the entry
 * @throws Refusal under `sender` when it is neither, when the domain is a public mail provider or a public suffix, or when
 *   mail from it can be the workspace's own
 */
export async function blockTyped(input: {
  workspaceId: string;
  typed: string;
  by: Teammate;
}): Promise<BlockedSender> {
  const { workspaceId, by } = input;
  const sender = parseBlocked(input.typed);
  await inTransaction((tx) => block(tx, { workspaceId, senders: [sender], by }));
  return sender;
}

function parseBlocked(typed: string): BlockedSender {
  const text = typed.trim().replace(/^@/, '');
  try {
    return text.includes('@')
      ? { kind: 'address', value: requireEmail(text) }
      : { kind: 'domain', value: parseDomain(text) };
  } catch {
    throw invalid({
      sender: ['Enter an email address or a domain, for example ada@example.com or example.com.'],
    });
  }
}

/**
 * Adds senders to the block list. Leaves senders that are already blocked unchanged.
 * @returns the ids of the new entries
 * @throws Refusal under `sender`, as `blockTyped` does, or when the list is full
 */
export async function block(
  tx: Tx,
  { workspaceId, senders, by }: { workspaceId: string; senders: readonly BlockedSender[]; by: Teammate },
): Promise<string[]> {
  for (const sender of senders) {
    const problem = await findBlockProblem(tx, { workspaceId, sender });
    if (problem) throw invalid({ sender: [problem] });
  }
  const count = await tx.blockedSender.count({ where: { workspaceId } });
  if (count + senders.length > BLOCKED_SENDERS_MAX) throw invalid({ sender: [FULL] });
  const added: string[] = [];
  for (const { kind, value, label = null } of senders) {
    const data = { workspaceId, kind, value, label, createdByName: by.name };
    const [entry] = await tx.blockedSender.createManyAndReturn({
      data,
      skipDuplicates: true,
      select: { id: true },
    });
    if (!entry) continue;
    added.push(entry.id);
    await addAuditEntry(tx, { workspaceId, kind: 'sender_blocked', by, data: auditData({ value, label }) });
  }
  return added;
}

/** Names the sender in the audit log. The erasure of a person on a chat channel finds their name by `value`. */
function auditData({ value, label }: { value: string; label: string | null }): Record<string, string> {
  return label === null ? { sender: value } : { sender: label, value };
}

const FULL = `A workspace can block up to ${BLOCKED_SENDERS_MAX.toLocaleString('en')} senders. Remove some first.`;

/** Returns why a sender cannot be blocked, as a sentence; undefined if they can. */
export async function findBlockProblem(
  db: SqlDb,
  { workspaceId, sender }: { workspaceId: string; sender: BlockedSender },
): Promise<string | undefined> {
  const { kind, value } = sender;
  if (kind === 'chat') return undefined;
  const shown = shownEmail(value);
  if (kind === 'address') {
    const owner = await findAddressOwner(db, { workspaceId, email: value });
    return (
      owner && `${shown} ${owner === 'mailbox' ? 'is one of your own addresses' : 'belongs to a teammate'}.`
    );
  }
  if (getDomain(value, { allowPrivateDomains: true }) === null) {
    return `Anyone can have a domain below ${shown}. Block individual domains or addresses instead.`;
  }
  if (isPublicMailProvider(value)) {
    return `Anyone can have an address at ${shown}. Block individual addresses instead.`;
  }
  return (await isOwnDomain(db, { workspaceId, domain: value }))
    ? `You or your teammates have addresses at ${shown}. Block individual addresses instead.`
    : undefined;
}

/** Returns whether a mailbox, an email domain or a teammate's address is on the domain or below it. */
async function isOwnDomain(
  db: SqlDb,
  { workspaceId, domain }: { workspaceId: string; domain: string },
): Promise<boolean> {
  const isBelow = (column: string) =>
    Prisma.sql`right('.' || ${Prisma.raw(column)}, length(${domain}::text) + 1) = ${`.${domain}`}`;
  const found = await db.$queryRaw<unknown[]>`
    select 1 from mailboxes where workspace_id = ${workspaceId}::uuid and ${isBelow(`split_part(address, '@', -1)`)}
    union all
    select 1 from email_domains where workspace_id = ${workspaceId}::uuid and ${isBelow('domain')}
    union all
    select 1 from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and ${isBelow(`split_part(u.email, '@', -1)`)}
    limit 1`;
  return found.length > 0;
}

/** Removes an entry from the block list. Does nothing when there is none. */
export async function unblock({
  workspaceId,
  id,
  by,
}: {
  workspaceId: string;
  id: string;
  by: Teammate;
}): Promise<void> {
  await inTransaction(async (tx) => {
    const [removed] = await tx.$queryRaw<{ value: string; label: string | null }[]>`
      delete from blocked_senders where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid returning value, label`;
    if (!removed) return;
    await addAuditEntry(tx, { workspaceId, kind: 'sender_unblocked', by, data: auditData(removed) });
  });
}
