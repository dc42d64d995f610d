import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import {
  isPushEndpoint,
  type PushTarget,
  sendToPushService,
} from '#server/administration/notifications/push-service.ts';
import { textInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { settings } from '#server/core/env.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { describeDevice } from '#server/teammates/describe-device.ts';

/** Browsers per teammate that get push notifications. A further one replaces the one that was notified the longest time ago. */
export const DEVICES_MAX = 10;

/** Longer than the endpoints of any push service. */
const ENDPOINT_MAX_LENGTH = 1_000;

/** A browser that gets push notifications. `lastUsedAt`: when the last one was sent to it. */
export type PushDevice = {
  id: string;
  device: string;
  addedAt: Date;
  lastUsedAt: Date | null;
  isCurrent: boolean;
};

/** A browser's subscription: an uncompressed point of P-256 and 16 random bytes, in base64url. */
export const pushSubscriptionInput = z.object({
  endpoint: textInput(ENDPOINT_MAX_LENGTH),
  p256dh: textInput(100).regex(/^B[\w-]{86}$/, 'must be a public key of P-256'),
  auth: textInput(100).regex(/^[\w-]{22}$/, 'must be 16 bytes'),
});

/** A subscription that replaces another one of the same browser. `replaced`: the old endpoint, if the browser knows it. */
export const renewedSubscriptionInput = pushSubscriptionInput.extend({
  replaced: textInput(ENDPOINT_MAX_LENGTH).nullable(),
});

type Whose = { userId: string; sessionId: string };

type Added = Whose & { userAgent: string | null } & PushTarget;

/**
 * Adds the browser of a session. Its earlier subscription, and one of another teammate in the same browser, are replaced.
 * @throws Refusal for an address that cannot be a push service, or when the session has ended
 */
export async function addPushDevice(added: Added): Promise<void> {
  checkEndpoint(added.endpoint);
  await changeDevices(added.userId, (tx) => insertDevice(tx, added));
}

/**
 * Replaces the subscription of a browser whose push service has given it another one. Nothing is added for a teammate who has not turned push
 * notifications on in this browser: the old subscription must belong to them.
 * @returns whether it did
 * @throws Refusal as `addPushDevice`
 */
export async function renewPushDevice({
  replaced,
  ...added
}: Added & { replaced: string | null }): Promise<boolean> {
  checkEndpoint(added.endpoint);
  const { userId, sessionId } = added;
  return changeDevices(userId, async (tx) => {
    const removed = await tx.$executeRaw`
      delete from push_subscriptions
      where user_id = ${userId}::uuid and (session_id = ${sessionId}::uuid or endpoint = ${replaced}::text)`;
    if (removed === 0) return false;
    await insertDevice(tx, added);
    return true;
  });
}

function checkEndpoint(endpoint: string): void {
  if (!isPushEndpoint(endpoint)) {
    throw invalid({
      endpoint: [
        'This browser’s push service cannot be used: its address is not https in the public internet.',
      ],
    });
  }
}

/** Runs a change of a teammate's devices. Parallel ones wait, so that together they leave no more than the maximum. */
function changeDevices<T>(userId: string, change: (tx: SqlDb) => Promise<T>): Promise<T> {
  return sqlTransaction(async (tx) => {
    await tx.$queryRaw`select 1 from users where id = ${userId}::uuid for no key update`;
    return change(tx);
  });
}

async function insertDevice(
  tx: SqlDb,
  { userId, sessionId, userAgent, endpoint, p256dh, auth }: Added,
): Promise<void> {
  const device = describeDevice(userAgent);
  await tx.$executeRaw`
    delete from push_subscriptions where session_id = ${sessionId}::uuid and endpoint <> ${endpoint}::text`;
  const added = await tx.$executeRaw`
    insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, device)
    select ${uuidv7()}::uuid, s.user_id, s.id, ${endpoint}::text, ${p256dh}::text, ${auth}::text, ${device}::text
    from sessions s where s.id = ${sessionId}::uuid and s.user_id = ${userId}::uuid
    on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
      p256dh = excluded.p256dh, auth = excluded.auth, device = excluded.device`;
  if (added === 0) throw new Refusal('forbidden', 'You are signed out. Sign in again.');
  await tx.$executeRaw`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId}::uuid
      order by session_id = ${sessionId}::uuid desc, coalesce(last_used_at, created_at) desc, id desc
      offset ${DEVICES_MAX}::int)`;
}

/** `onlyCurrent`: only the browser of the session. */
type Which = Whose & { onlyCurrent: boolean };

const devicesOf = ({ userId, sessionId, onlyCurrent }: Which) =>
  onlyCurrent ? { userId, sessionId } : { userId };

/** Lists the browsers of a teammate, the current one first. */
export async function listPushDevices(which: Which): Promise<PushDevice[]> {
  const rows = await db().pushSubscription.findMany({
    where: { ...devicesOf(which), session: { expiresAt: { gt: new Date() } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: DEVICES_MAX,
  });
  return rows
    .map(({ id, device, createdAt, lastUsedAt, sessionId: of }) => ({
      id,
      device,
      addedAt: createdAt,
      lastUsedAt,
      isCurrent: of === which.sessionId,
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/** Removes a browser of a teammate. It gets no more push notifications. */
export async function removePushDevice({ id, ...which }: Which & { id: string }): Promise<void> {
  if (!isUuid(id)) return;
  await db().pushSubscription.deleteMany({ where: { id, ...devicesOf(which) } });
}

/**
 * Sends a test notification to the browser of a session.
 * @param options.unread count on the badge of the app
 * @throws Refusal when it gets none, or its push service does not accept it
 */
export async function testPushDevice(
  { userId, sessionId }: Whose,
  { unread }: { unread: number },
): Promise<void> {
  const found = await db().pushSubscription.findFirst({ where: { userId, sessionId } });
  if (!found) throw notFound('The device');
  const { kind, code } = await sendToPushService(
    found,
    {
      id: uuidv7(),
      workspaceId: null,
      title: settings().SERVICE_NAME,
      body: 'Push notifications work on this device.',
      href: '/settings/notifications',
      unread,
    },
    'test',
  );
  if (kind === 'gone') await removePushDevice({ userId, sessionId, onlyCurrent: true, id: found.id });
  if (kind !== 'sent') {
    throw new Refusal(
      'invalid',
      kind === 'gone'
        ? 'This device’s subscription has ended. Turn push notifications on again.'
        : `The browser’s push service did not accept the notification (${code}). Try again later.`,
    );
  }
}
