import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import {
  openAccount,
  type SealedAccount,
  sealedAccountSelect,
} from '#server/inbox/channels/accounts/open-account.ts';
import { sealCredentials } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { webhookAddress } from '#server/inbox/channels/accounts/webhook-address.ts';
import type {
  AccountChannel,
  ConnectedAccount,
  ConnectResult,
} from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_NAMES, type ChannelField } from '#server/inbox/channels/channel-names.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager, requireManager } from '#server/teammates/require-role.ts';
import { NO_CHANNELS_IN_TEST, refuseInTestWorkspace } from '#server/teammates/test-workspaces.ts';

/** Maximum number of accounts per workspace, over all channels. */
const ACCOUNTS_MAX = 50;
const TOO_MANY = `A workspace can have up to ${ACCOUNTS_MAX} accounts. Disconnect one first.`;
const TOO_OFTEN = 'Accounts were connected or tested too often. Wait a minute and try again.';

type NewAccount = { workspaceId: string; channel: Channel; fields: Record<string, string>; by: Teammate };

/**
 * Connects an account of a channel: verifies the fields with the provider, stores the credentials encrypted, and
 * subscribes to the provider's webhook where its API allows. A reconnected account keeps its webhook address and its
 * conversations. If the subscription fails, an account that was connected before stays as it was.
 * @returns the account's id, and whether the teammate still has to enter its webhook address at the provider
 * @throws Refusal unless `by` is owner or admin; under a field's name when the field is missing or the provider rejects
 *   it; when the account is connected to another workspace
 */
export async function connectAccount(newAccount: NewAccount): Promise<{ id: string; needsWebhook: boolean }> {
  const { workspaceId, channel, by } = newAccount;
  const adapter = CHANNELS[channel].accounts;
  if (!adapter) throw notFound('The channel');
  await inTransaction(async (tx) => {
    await requireManager(tx, { workspaceId, userId: by.id });
    await refuseInTestWorkspace(tx, workspaceId, NO_CHANNELS_IN_TEST);
  });
  await refuseTooOften(workspaceId);
  secretKeys();
  const fields = parseFields(adapter.fields, newAccount.fields);
  // No transaction is open during the request to the provider.
  const found = await adapter.connect(fields);
  const { row, earlier } = await storeAccount(newAccount, adapter, found);
  const account = openAccount(row);
  try {
    await adapter.subscribe?.(account, webhookAddress(account));
  } catch (error) {
    await undoConnection(row, earlier);
    throw subscribeRefusal(account, error);
  }
  log().info({ accountId: account.id, channel, workspaceId, userId: by.id }, 'channel.connected');
  publish(workspaceId, 'channels');
  return { id: account.id, needsWebhook: adapter.webhookStep !== null && account.webhookCalledAt === null };
}

/** @throws Refusal when the workspace has reached its limit for connecting and testing accounts */
export async function refuseTooOften(workspaceId: string): Promise<void> {
  const { allowed } = await consumeLimit('channel_check', workspaceId);
  if (!allowed) throw invalid({ channel: [TOO_OFTEN] });
}

/** `earlier` is the account as it was before, also if it was disconnected. */
async function storeAccount(
  newAccount: NewAccount,
  adapter: AccountChannel,
  found: ConnectResult,
): Promise<{ row: SealedAccount; earlier: EarlierAccount | null }> {
  const { workspaceId, channel, by } = newAccount;
  const { externalId, name } = found;
  try {
    return await asManager(newAccount, async (tx) => {
      const earlier = await findEarlier(tx, { workspaceId, channel, externalId });
      if (
        !earlier &&
        (await tx.channelAccount.count({ where: { workspaceId, deletedAt: null } })) >= ACCOUNTS_MAX
      )
        throw invalid({ channel: [TOO_MANY] });
      const id = earlier?.id ?? uuidv7();
      const columns = {
        name,
        credentials: sealCredentials(id, { ...found.credentials, ...webhookSecrets(found, earlier) }),
        settings: JSON.parse(JSON.stringify(found.settings ?? {})),
        status: 'connected' as const,
        lastError: null,
        lastErrorAt: null,
        expiresAt: found.expiresAt ?? null,
        deletedAt: null,
      };
      const row = await tx.channelAccount.upsert({
        where: { id },
        create: { id, workspaceId, channel, externalId, ...columns },
        update: columns,
        select: sealedAccountSelect,
      });
      const data = { channel, name };
      await addAuditEntry(tx, { workspaceId, kind: 'channel_connected', by, data });
      return { row, earlier };
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const field = adapter.fields[0]?.name ?? 'channel';
    const which = `${CHANNEL_NAMES[channel].name} (${name})`;
    throw invalid({
      [field]: [`${which} is already connected to another workspace. Disconnect it there first.`],
    });
  }
}

const earlierSelect = {
  ...sealedAccountSelect,
  status: true,
  lastError: true,
  lastErrorAt: true,
  expiresAt: true,
  deletedAt: true,
} satisfies Prisma.ChannelAccountSelect;

type EarlierAccount = Prisma.ChannelAccountGetPayload<{ select: typeof earlierSelect }>;

/** Finds an earlier connection of the account in the workspace, so it keeps its id and webhook address. */
async function findEarlier(
  tx: Tx,
  where: { workspaceId: string; channel: Channel; externalId: string },
): Promise<EarlierAccount | null> {
  return tx.channelAccount.findFirst({
    where,
    select: earlierSelect,
    orderBy: [{ deletedAt: { sort: 'desc', nulls: 'first' } }],
  });
}

/**
 * Returns the secrets of the webhook. A connected account keeps them: a provider may have accepted the webhook address
 * although the subscription failed.
 */
function webhookSecrets(
  { credentials }: ConnectResult,
  earlier: EarlierAccount | null,
): Record<string, string> {
  const before = earlier ? openAccount(earlier).credentials : {};
  const verifyToken = before.verifyToken ?? randomBytes(24).toString('base64url');
  const webhookSecret = before.webhookSecret ?? credentials.webhookSecret;
  return { verifyToken, ...(webhookSecret ? { webhookSecret } : {}) };
}

/** Undoes a connection whose webhook the provider did not accept, unless the account was connected again since. */
async function undoConnection(
  { id, credentials }: SealedAccount,
  earlier: EarlierAccount | null,
): Promise<void> {
  await db().channelAccount.updateMany({
    where: { id, credentials, deletedAt: null },
    data:
      earlier?.deletedAt === null
        ? {
            name: earlier.name,
            credentials: earlier.credentials,
            settings: JSON.parse(JSON.stringify(earlier.settings)),
            status: earlier.status,
            lastError: earlier.lastError,
            lastErrorAt: earlier.lastErrorAt,
            expiresAt: earlier.expiresAt,
          }
        : { deletedAt: new Date(), credentials: null },
  });
}

function subscribeRefusal({ id, channel }: ConnectedAccount, error: unknown): Error {
  if (error instanceof Error && 'refusal' in error) return error;
  log().warn({ err: error, accountId: id }, 'channel.not_subscribed');
  const { name } = CHANNEL_NAMES[channel];
  return new Refusal('invalid', `${name} did not accept the webhook address. Try again later.`);
}

const FIELD_MAX_LENGTH = 1_000;
/** Tokens and ids are printable ASCII without spaces. */
const PRINTABLE = /^[\x21-\x7e]*$/;

/**
 * Trims and validates the fields for connecting an account. Drops unknown fields.
 * @throws Refusal with a message for each field that is missing or invalid
 */
function parseFields(fields: ChannelField[], entered: Record<string, string>): Record<string, string> {
  const errors: Record<string, string[]> = {};
  const parsed: Record<string, string> = {};
  for (const { name, label, optional = false } of fields) {
    const value = (entered[name] ?? '').slice(0, FIELD_MAX_LENGTH + 1).trim();
    if (value === '') {
      if (!optional) errors[name] = [`${label} is missing. Copy it from the provider’s settings.`];
    } else if (value.length > FIELD_MAX_LENGTH || !PRINTABLE.test(value)) {
      errors[name] = [`${label} is not valid. Copy it again, without spaces.`];
    } else parsed[name] = value;
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return parsed;
}
