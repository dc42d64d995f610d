import { createHash } from 'node:crypto';
import { demoAccountsOf } from '#prisma/seed/demo-accounts.ts';
import type { DemoContact, DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { known } from '#prisma/seed/known.ts';
import { newId } from '#prisma/seed/new-id.ts';
import type { Rows } from '#prisma/seed/rows.ts';
import { type SecretKeys, seal } from '#server/core/seal.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';

export type MadeChannels = {
  accountId(channel: Channel): string | null;
  /** Returns the provider's id of the thread with a contact. */
  threadId(channel: Channel, contact: DemoContact): string | null;
};

/** Keys that encrypt credentials, and channels whose provider is the stand-in. */
export type Connecting = { keys: SecretKeys; channels: ReadonlySet<Channel> };

/** Adds a workspace's channel accounts, and the identities of contacts who wrote on them. */
export function addChannelAccountRows(
  rows: Rows,
  data: DemoWorkspace,
  given: {
    workspaceId: string;
    createdAt: Date;
    contacts: ReadonlyMap<DemoContact, string>;
    connecting: Connecting | null;
  },
): MadeChannels {
  const { workspaceId, createdAt, contacts, connecting } = given;
  const accounts = connecting
    ? demoAccountsOf(data.name).filter(({ channel }) => connecting.channels.has(channel))
    : [];
  for (const { credentials, ...account } of accounts) {
    const sealed = seal(JSON.stringify(credentials), account.id, connecting?.keys ?? []);
    rows.channelAccounts.push({ ...account, workspaceId, credentials: sealed, createdAt });
  }
  const accountOf = (channel: Channel) => accounts.find((account) => account.channel === channel);
  const added = new Set<string>();
  for (const { channel, contact, isTest } of data.conversations) {
    const account = accountOf(channel);
    const contactId = known(contacts, contact);
    if (!account || isTest || added.has(`${channel} ${contactId}`)) continue;
    added.add(`${channel} ${contactId}`);
    rows.contactIdentities.push({
      id: newId(createdAt),
      workspaceId,
      contactId,
      channel,
      scope: ONE_ID_EVERYWHERE.has(channel) ? '' : account.externalId,
      externalId: personId(channel, contact),
      name: contact.name ?? null,
      phone: channel === 'whatsapp' ? (contact.phone ?? null) : null,
    });
  }
  return {
    accountId: (channel) => accountOf(channel)?.id ?? null,
    threadId: (channel, contact) => {
      if (!accountOf(channel)) return null;
      const id = personId(channel, contact);
      return channel === 'slack' ? id.replace('U', 'D') : id;
    },
  };
}

/** Channels on which a person has the same id for every account. */
const ONE_ID_EVERYWHERE: ReadonlySet<Channel> = new Set(['telegram']);

function personId(channel: Channel, { name, phone, email }: DemoContact): string {
  const seed = createHash('sha256').update(`${name} ${phone} ${email}`).digest('hex');
  const digits = BigInt(`0x${seed}`).toString();
  if (channel === 'whatsapp') return phone?.replaceAll(/\D/g, '') || `1555${digits.slice(0, 7)}`;
  if (channel === 'slack') return `U${seed.slice(0, 10).toUpperCase()}`;
  return channel === 'telegram' ? `6${digits.slice(0, 9)}` : `7${digits.slice(0, 15)}`;
}
