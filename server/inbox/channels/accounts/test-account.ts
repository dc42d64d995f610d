import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { refuseTooOften } from '#server/inbox/channels/accounts/connect-account.ts';
import { markReconnectNeeded } from '#server/inbox/channels/accounts/mark-reconnect-needed.ts';
import { openAccount, sealedAccountSelect } from '#server/inbox/channels/accounts/open-account.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { tokenRefusedSentence } from '#server/inbox/channels/sending/provider-sentences.ts';
import { requireManager } from '#server/teammates/require-role.ts';

/** Result of a test; `reason` is a sentence. */
export type AccountTest = { works: true } | { works: false; reason: string };

/**
 * Tests an account with the provider and stores the result. An account that works again becomes connected.
 * @throws Refusal unless `by` is owner or admin, when the account does not exist, or when it was tested too often
 */
export async function testAccount(input: {
  workspaceId: string;
  accountId: string;
  by: Teammate;
}): Promise<AccountTest> {
  const { workspaceId, accountId: id, by } = input;
  await inTransaction((tx) => requireManager(tx, { workspaceId, userId: by.id }));
  const row = await db().channelAccount.findFirst({
    where: { id, workspaceId, deletedAt: null },
    select: sealedAccountSelect,
  });
  const adapter = row && CHANNELS[row.channel].accounts;
  if (!adapter) throw notFound('The account');
  await refuseTooOften(workspaceId);
  const account = openAccount(row);
  const problem = await adapter.test(account);
  if (problem === null) {
    await db().channelAccount.updateMany({
      where: { id, deletedAt: null },
      data: { status: 'connected', lastError: null, lastErrorAt: null },
    });
    return { works: true };
  }
  const { reason, reconnect } = problem;
  if (reconnect) await markReconnectNeeded(account, tokenRefusedSentence(row.channel));
  else {
    await db().channelAccount.updateMany({
      where: { id, deletedAt: null },
      data: { lastError: reason, lastErrorAt: new Date() },
    });
  }
  return { works: false, reason };
}
