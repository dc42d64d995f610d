import type { Tx } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { queueSend } from '#server/inbox/messages/queue-send.ts';

/**
 * Has a message that is being sent sent again later, after the next of `MAIL_RETRY_DELAYS` (decisions: conversations
 * and contacts, 21). Its conversation is locked.
 * @returns `deferred`; `exhausted` after the last attempt, which changes nothing; `settled` when it is not being sent
 */
export async function deferMessage(tx: Tx, id: string): Promise<'deferred' | 'exhausted' | 'settled'> {
  const message = await tx.message.findFirst({
    where: { id, sendStatus: 'sending' },
    select: { deferrals: true },
  });
  if (!message) return 'settled';
  const inSeconds = settings().MAIL_RETRY_DELAYS[message.deferrals];
  if (inSeconds === undefined) return 'exhausted';
  await tx.message.update({
    where: { id },
    data: { sendStatus: 'queued', sendStartedAt: null, deferrals: { increment: 1 } },
    select: { id: true },
  });
  await queueSend(tx, id, { inSeconds });
  return 'deferred';
}
