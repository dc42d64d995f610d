import { z } from 'zod';
import { isDatabaseAway } from '#server/core/database/errors.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { log } from '#server/core/log.ts';
import { isStorableText } from '#server/core/text.ts';
import { noteReceived } from '#server/inbox/channels/accounts/find-account.ts';
import { markReconnectNeeded } from '#server/inbox/channels/accounts/mark-reconnect-needed.ts';
import {
  openAccount,
  type SealedAccount,
  sealedAccountSelect,
} from '#server/inbox/channels/accounts/open-account.ts';
import type { AccountChannel, ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';
import { editMessage, NotYet } from '#server/inbox/messages/edit-message.ts';
import { recordStatus } from '#server/inbox/messages/record-status.ts';
import {
  findAlbumBefore,
  findParts,
  joinAlbums,
  WAITING_COLUMNS,
  type WaitingUpdate,
} from '#server/inbox/provider-updates/album-updates.ts';
import { receiveEcho } from '#server/inbox/provider-updates/receive-echo.ts';
import { receiveNewIds } from '#server/inbox/provider-updates/receive-new-ids.ts';
import {
  type Attempt,
  receiveProviderMessage,
  receiveProviderReaction,
} from '#server/inbox/provider-updates/receive-provider-message.ts';
import { ALBUM_WAIT_SECONDS, updatesQueue } from '#server/inbox/provider-updates/store-update.ts';
import { waitsForRetry } from '#server/inbox/provider-updates/waits-for-retry.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';

/** Time limit of a job, in milliseconds. Another job processes the rest. */
const RUN_FOR_MS = 20_000;
/** Delays of the retries of a failed update, in seconds. After the last retry an update can only be replayed. */
const RETRY_AFTER_SECONDS = [5, 60, 600, 3_600];
const ERROR_MAX_LENGTH = 500;

/**
 * Processes the stored updates of an account in the order of their receipt. A failed update does not block later ones and
 * is retried. Progress is stored in the rows, so after a crash the next job continues. Processing an update twice has no
 * further effect, as messages are identified by the provider's id.
 */
export async function processUpdates(accountId: string, runForMs = RUN_FOR_MS): Promise<void> {
  const until = performance.now() + runForMs;
  const account = await findAccount(accountId);
  if (!account) return;
  for (;;) {
    const [update] = await sql().$queryRaw<WaitingUpdate[]>`
      select ${WAITING_COLUMNS} from inbound_updates
      where account_id = ${accountId}::uuid and processed_at is null and attempts = 0
        and (album is null or received_at < clock_timestamp() - make_interval(secs => ${ALBUM_WAIT_SECONDS}))
      order by received_at, id limit 1`;
    if (!update) return;
    await processUpdate(account, update);
    if (performance.now() < until) continue;
    await inTransaction((tx) => queueJob(tx, 'process-updates', { accountId }, options(accountId)));
    return;
  }
}

/** Processes a failed update again. */
export async function retryUpdate(updateId: string): Promise<void> {
  const [update] = await sql().$queryRaw<WaitingUpdate[]>`
    select ${WAITING_COLUMNS} from inbound_updates
    where id = ${updateId}::uuid and processed_at is null and attempts > 0 and account_id is not null`;
  const account = update ? await findAccount(update.accountId) : null;
  if (update && account) await processUpdate(account, update);
}

function options(accountId: string) {
  const queue = updatesQueue(accountId);
  return { key: queue, queue };
}

const headersShape = z.record(z.string(), z.string());

/** Processes an update, with the other waiting parts of its album, after the albums sent before it in the same thread. */
async function processUpdate(sealed: SealedAccount, update: WaitingUpdate): Promise<void> {
  const { attempts } = update;
  const updates = await findParts(update);
  try {
    const account = openAccount(sealed);
    const adapter = CHANNELS[account.channel].accounts;
    if (!adapter) throw new Error(`The channel ${account.channel} receives no updates.`);
    const received: ReceivedUpdate[] = [];
    for (const each of updates) received.push(...(await parseUpdate(adapter.webhook, each, account)));
    if (adapter.webhook.albumOf) {
      const threadIds = received.flatMap((each) => (each.kind === 'message' ? [each.threadId] : []));
      for (;;) {
        const before = await findAlbumBefore(update, threadIds);
        if (!before) break;
        await processUpdate(sealed, before);
      }
    }
    const attempt = { isLastAttempt: RETRY_AFTER_SECONDS[attempts] === undefined };
    await handleAll(account, joinAlbums(received), attempt);
    await db().inboundUpdate.updateMany({
      where: { id: { in: updates.map(({ id }) => id) }, processedAt: null },
      data: { processedAt: new Date(), attempts: attempts + 1, error: null },
    });
  } catch (error) {
    // The failure cannot be recorded either. The job is retried, and the attempt does not count.
    if (isDatabaseAway(error)) throw error;
    await recordFailure(sealed, updates, error);
  }
}

/**
 * Parses the body of an update. Drops one of an unknown shape, because a retry would fail in the same way.
 * @throws what a request to the provider or a statement throws
 */
async function parseUpdate(
  { receive }: AccountChannel['webhook'],
  update: WaitingUpdate,
  account: ConnectedAccount,
): Promise<ReceivedUpdate[]> {
  const { id, receivedAt } = update;
  try {
    const headers = headersShape.parse(update.headers);
    const received = await receive({ id, body: Buffer.from(update.body), headers, receivedAt }, account);
    if (received.every(isStorable)) return received;
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
  }
  await dropMalformed(update);
  return [];
}

/** Fields whose text is cleaned or truncated before it is stored. */
const FREE_TEXT = new Set(['content', 'files', 'name', 'phone', 'email', 'reason', 'ad']);
/** Maximum length of a provider's id, in UTF-16 units. Longer ids do not fit into an index. */
const ID_MAX_LENGTH = 1_000;

/** Returns whether the database can store all ids and dates of a parsed update. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= ID_MAX_LENGTH && isStorableText(value);
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, field]) => FREE_TEXT.has(key) || isStorable(field));
}

/** Marks a malformed update as processed, with one log line. Its body is stored as long as those of other updates. */
async function dropMalformed({ id, accountId, attempts }: WaitingUpdate): Promise<void> {
  const { count } = await db().inboundUpdate.updateMany({
    where: { id, attempts, processedAt: null },
    data: { processedAt: new Date(), attempts: attempts + 1, error: null },
  });
  if (count > 0) log().warn({ updateId: id, accountId }, 'update.malformed');
}

/**
 * Records that an update or an album failed, and queues one retry. After the last attempt notifies owners and admins instead, unless
 * they know of another one that they have not tried again.
 */
async function recordFailure(
  { id: accountId, workspaceId, channel, name: accountName }: SealedAccount,
  updates: WaitingUpdate[],
  error: unknown,
): Promise<void> {
  const [first] = updates;
  if (!first) return;
  const { id, attempts } = first;
  // Wait about a minute for a missing message, or as long as it may be retried. Then drop the update without an error.
  const isMissing = error instanceof NotYet;
  const isUnknown = isMissing && attempts > 1 && !(await waitsForRetry(accountId));
  const inSeconds = isUnknown ? undefined : RETRY_AFTER_SECONDS[attempts];
  const isGivenUp = inSeconds === undefined;
  log()[isGivenUp ? 'error' : 'warn'](
    { err: error, updateId: id, accountId, attempts: attempts + 1 },
    'update.failed',
  );
  const text = error instanceof Error ? error.message : String(error);
  await inTransaction(async (tx) => {
    const isKnown =
      (await tx.inboundUpdate.count({
        where: { accountId, processedAt: { not: null }, error: { not: null } },
      })) > 0;
    const { count } = await tx.inboundUpdate.updateMany({
      where: { id: { in: updates.map((each) => each.id) }, attempts, processedAt: null },
      data: {
        attempts: attempts + 1,
        error: isMissing ? null : text.slice(0, ERROR_MAX_LENGTH),
        ...(isGivenUp ? { processedAt: new Date() } : {}),
      },
    });
    if (count === 0) return;
    if (isGivenUp) {
      if (isMissing || isKnown) return;
      const data = { accountId, channel, accountName };
      const content = { kind: 'channel_update_failed' as const, data };
      await notifyManagers(tx, { workspaceId, content, now: new Date() });
      return;
    }
    const queue = updatesQueue(accountId);
    await queueJob(tx, 'retry-update', { updateId: id }, { inSeconds, queue, key: `retry-update:${id}` });
  });
}

/** Finds an account, even a disconnected one, whose earlier updates are still processed. */
async function findAccount(id: string): Promise<SealedAccount | null> {
  return db().channelAccount.findUnique({ where: { id }, select: sealedAccountSelect });
}

/**
 * Handles all items of an update: one that fails does not hold back the others.
 * @throws the first error, or the first `NotYet` if there is no other error, because it is retried less often
 */
async function handleAll(
  account: ConnectedAccount,
  received: ReceivedUpdate[],
  attempt: Attempt,
): Promise<void> {
  const errors: unknown[] = [];
  for (const each of received) {
    try {
      await handleReceived(account, each, attempt);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors.find((error) => !(error instanceof NotYet)) ?? errors[0];
}

/** Handles one item of an update. Idempotent. */
async function handleReceived(
  account: ConnectedAccount,
  received: ReceivedUpdate,
  attempt: Attempt,
): Promise<void> {
  const { workspaceId } = account;
  switch (received.kind) {
    case 'message':
      await receiveProviderMessage(account, received, attempt);
      return noteReceived(account.id);
    case 'reaction':
      return receiveProviderReaction(account, received);
    case 'edit':
      return editMessage({ workspaceId, ...received });
    case 'status':
      return recordStatus({ workspaceId, channelAccountId: account.id, ...received });
    case 'echo':
      return receiveEcho(account, received, attempt);
    case 'new_ids':
      return receiveNewIds(account, received);
    case 'disconnected':
      return markReconnectNeeded(account, received.reason);
  }
}
