import { z } from 'zod';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import { ProviderFault } from '#server/core/provider-request.ts';
import { markReconnectNeeded } from '#server/inbox/channels/accounts/mark-reconnect-needed.ts';
import { sealCredentials } from '#server/inbox/channels/accounts/seal-credentials.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { callGraph } from '#server/inbox/channels/meta/graph-api.ts';
import { inspectToken } from '#server/inbox/channels/meta/meta-account.ts';
import { tokenRefusedSentence } from '#server/inbox/channels/sending/provider-sentences.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';

const DAY_MS = 86_400_000;
/** Time before its expiry at which a token is exchanged. */
const REFRESH_BEFORE_MS = 14 * DAY_MS;
/** Time before its expiry at which owners and admins are notified, if the token could not be exchanged. */
const NOTIFY_BEFORE_MS = 7 * DAY_MS;

/**
 * Exchanges the token of a Meta account for a longer-lived one if it expires soon. When that fails, notifies owners and admins before
 * the expiry. An account with an invalid token is set to "Needs to be connected again".
 */
export async function renewMetaToken(
  account: ConnectedAccount,
  { expiresAt: known, now }: { expiresAt: Date | null; now: Date },
): Promise<void> {
  const { id, channel, credentials } = account;
  const facts = await inspectToken(credentials.accessToken ?? '');
  if (facts && !facts.isValid) return markReconnectNeeded(account, tokenRefusedSentence(channel));
  const expiresAt = facts ? facts.expiresAt : known;
  if (expiresAt?.getTime() !== known?.getTime()) {
    await db().channelAccount.updateMany({ where: { id, deletedAt: null }, data: { expiresAt } });
  }
  if (expiresAt === null || expiresAt.getTime() - now.getTime() > REFRESH_BEFORE_MS) return;
  const renewed = facts ? await exchange(account, facts.appId, now) : null;
  if (renewed && (renewed.expiresAt === null || renewed.expiresAt > expiresAt)) {
    const accessToken = renewed.token;
    // Skips an account that was connected again in the meantime.
    const { count } = await db().channelAccount.updateMany({
      where: { id, deletedAt: null, credentials: account.sealed },
      data: {
        credentials: sealCredentials(id, { ...credentials, accessToken }),
        expiresAt: renewed.expiresAt,
      },
    });
    if (count > 0) log().info({ accountId: id, channel }, 'channel.token_refreshed');
    return;
  }
  if (expiresAt.getTime() - now.getTime() <= NOTIFY_BEFORE_MS) await notifyOnce(account, expiresAt, now);
}

const exchangedShape = z.object({ access_token: z.string().min(1), expires_in: z.number().optional() });

/**
 * Exchanges a token for a longer-lived token (Graph API, long-lived tokens; also for system users). Inspects the new token,
 * because an exchange does not extend the access to data.
 * @returns null when Meta does not exchange the token, or is unreachable
 */
async function exchange(
  { id, credentials }: ConnectedAccount,
  appId: string,
  now: Date,
): Promise<{ token: string; expiresAt: Date | null } | null> {
  const { accessToken = '', appSecret = '' } = credentials;
  try {
    const response = await callGraph({
      token: accessToken,
      path: 'oauth/access_token',
      query: {
        grant_type: 'fb_exchange_token',
        client_id: appId,
        client_secret: appSecret,
        set_token_expires_in_60_days: 'true',
        fb_exchange_token: accessToken,
      },
    });
    const exchanged = response.ok ? exchangedShape.safeParse(response.body).data : undefined;
    if (!exchanged) {
      log().warn({ accountId: id, code: response.ok ? null : response.refusal.code }, 'channel.token_kept');
      return null;
    }
    const { access_token: token, expires_in } = exchanged;
    const facts = await inspectToken(token);
    if (!facts?.isValid) return null;
    const expiries = [
      ...(expires_in ? [now.getTime() + expires_in * 1000] : []),
      ...(facts.expiresAt ? [facts.expiresAt.getTime()] : []),
    ];
    return { token, expiresAt: expiries.length > 0 ? new Date(Math.min(...expiries)) : null };
  } catch (error) {
    if (error instanceof ProviderFault) return null;
    throw error;
  }
}

/** Notifies owners and admins once per expiry. */
async function notifyOnce(account: ConnectedAccount, expiresAt: Date, now: Date): Promise<void> {
  const { id, workspaceId, channel, name: accountName } = account;
  const notifiedOfEnd = expiresAt.toISOString();
  await inTransaction(async (tx) => {
    const count = await tx.$executeRaw`
      update channel_accounts set settings = settings || jsonb_build_object('notifiedOfEnd', ${notifiedOfEnd}::text)
      where id = ${id}::uuid and deleted_at is null
        and settings->>'notifiedOfEnd' is distinct from ${notifiedOfEnd}`;
    if (count === 0) return;
    const data = { accountId: id, channel, accountName, expiresAt: notifiedOfEnd };
    await notifyManagers(tx, { workspaceId, content: { kind: 'channel_expiring', data }, now });
  });
}
