import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { inboundHost, parseForwardingAddress } from '#server/inbox/channels/email/inbound-addresses.ts';
import { leadsBack, mailboxAddresses } from '#server/inbox/channels/email/leads-back.ts';
import { parseSignedAddress } from '#server/inbox/channels/email/signed-address.ts';

/** Returns those of the addresses that lead back to a workspace (docs/rulings.md 3.30). One statement. */
export async function findOwnAddresses(
  db: SqlDb,
  { workspaceId, addresses }: { workspaceId: string; addresses: string[] },
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const mailboxes = await db.$queryRaw<{ address: string }[]>(Prisma.sql`
    select address from mailboxes where workspace_id = ${workspaceId}::uuid and ${leadsTo(...addresses)}`);
  return new Set(addresses.filter((address) => leadsBack(address, mailboxes)));
}

/** Returns SQL for whether one of the addresses leads to a row of `mailboxes`, by the rule of `leadsBack`. */
export function leadsTo(...addresses: string[]): Prisma.Sql {
  const candidates = [...new Set(addresses.flatMap(mailboxAddresses))];
  const signed = addresses.filter((address) => parseSignedAddress(address) !== undefined);
  const domains = signed.map((address) => address.slice(address.lastIndexOf('@') + 1));
  const isAtHost = domains.some((domain) => domain === inboundHost());
  const forwarded = addresses.flatMap((address) => parseForwardingAddress(address) ?? []);
  return Prisma.sql`(address = any(${candidates}::text[]) or split_part(address, '@', -1) = any(${domains}::text[])
    or id = any(${forwarded}::uuid[]) or ${isAtHost}::boolean)`;
}
