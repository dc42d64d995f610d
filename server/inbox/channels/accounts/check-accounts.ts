import { db } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { markReconnectNeeded } from '#server/inbox/channels/accounts/mark-reconnect-needed.ts';
import { openAccount, sealedAccountSelect } from '#server/inbox/channels/accounts/open-account.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { renewMetaToken } from '#server/inbox/channels/meta/renew-meta-token.ts';
import { tokenRefusedSentence } from '#server/inbox/channels/sending/provider-sentences.ts';

const BATCH = 200;
const META: ReadonlySet<Channel> = new Set(['whatsapp', 'instagram', 'messenger']);

/**
 * Tests all connected accounts with their providers, because a provider does not report that it no longer accepts a token. Such an
 * account is set to "Needs to be connected again". Renews the tokens of Meta that expire soon. A fault of one account does not
 * affect other accounts. Safe to run in parallel.
 */
export async function checkAccounts(now: Date = new Date()): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const rows = await db().channelAccount.findMany({
      where: { status: 'connected', deletedAt: null, ...(after ? { id: { gt: after } } : {}) },
      select: { ...sealedAccountSelect, expiresAt: true },
      orderBy: { id: 'asc' },
      take: BATCH,
    });
    for (const { expiresAt, ...sealed } of rows) {
      const { id, channel } = sealed;
      try {
        const account = openAccount(sealed);
        const problem = await CHANNELS[channel].accounts?.test(account);
        if (problem?.reconnect) await markReconnectNeeded(account, tokenRefusedSentence(channel));
        else if (META.has(channel)) await renewMetaToken(account, { expiresAt, now });
      } catch (error) {
        log().error({ err: error, accountId: id }, 'channel.not_checked');
      }
    }
    after = rows.at(-1)?.id;
    if (rows.length < BATCH) return;
  }
}
