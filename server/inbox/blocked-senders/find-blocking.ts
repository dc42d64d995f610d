import type { SqlDb } from '#server/core/database/sql.ts';
import { asciiEmail } from '#server/core/email-domain.ts';

/** Keys of a sender in the block list: the addresses in the From header and the envelope, and ids on chat channels. */
export type SenderKeys = { emails?: readonly string[]; chats?: readonly string[] };

/**
 * Returns the ids of the given workspaces that block a sender. A blocked domain includes its subdomains. One round
 * trip; none for a sender without keys.
 */
export async function findBlocking(
  db: SqlDb,
  workspaceIds: readonly string[],
  { emails = [], chats = [] }: SenderKeys,
): Promise<Set<string>> {
  const addresses = emails.map((email) => asciiEmail(email.trim())).filter((email) => email.includes('@'));
  if (workspaceIds.length === 0 || addresses.length + chats.length === 0) return new Set();
  const domains = addresses.flatMap((address) => domainsOf(address.slice(address.lastIndexOf('@') + 1)));
  const found = await db.$queryRaw<{ workspaceId: string }[]>`
    select distinct workspace_id as "workspaceId" from blocked_senders
    where workspace_id = any(${workspaceIds}::uuid[]) and (
      (kind = 'address' and value = any(${addresses}::text[]))
      or (kind = 'domain' and value = any(${domains}::text[]))
      or (kind = 'chat' and value = any(${chats}::text[])))`;
  return new Set(found.map(({ workspaceId }) => workspaceId));
}

/** Labels of a domain name that are looked up. A domain name has at most 127. */
const LABELS_MAX = 127;

/** Returns the domain and the domains that contain it, without the top-level domain. */
function domainsOf(domain: string): string[] {
  const labels = domain.split('.').slice(-LABELS_MAX);
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

/** A person on a chat channel. */
export type ChatIdentity = { channel: string; scope: string; externalId: string };

/** Returns the key of a person on a provider's channel in the block list. */
export function chatKey({ channel, scope, externalId }: ChatIdentity): string {
  return `${channel}:${scope}:${externalId}`;
}

/**
 * Returns the key of a web chat visitor in the block list.
 * @param tag the part of their messages' external ids that identifies the visitor
 */
export function visitorKey(tag: string): string {
  return `webchat:${tag}`;
}
