import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import { truncateText } from '#server/core/text.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import { NotYet } from '#server/inbox/messages/edit-message.ts';
import { CONTENT_MAX_LENGTH } from '#server/inbox/messages/incoming-message.ts';
import { findOutgoingByProviderId } from '#server/inbox/messages/record-status.ts';
import { fetchFiles } from '#server/inbox/provider-updates/receive-provider-message.ts';

type Echo = Extract<ReceivedUpdate, { kind: 'echo' }>;

/**
 * Adds a reply that somebody sent in the provider's own app to its thread. Ignores the echo of a message sent by the
 * service. Emits no event.
 * @throws NotYet while a message of the thread is being sent: the echo may be of that message, whose id is unknown
 */
export async function receiveEcho(account: ConnectedAccount, echo: Echo): Promise<void> {
  const { id: channelAccountId, workspaceId, channel } = account;
  const { externalId, threadId: externalThreadId } = echo;
  const sent = { workspaceId, providerId: externalId };
  if (await findOutgoingByProviderId(sent)) return;
  const conversation = await db().conversation.findFirst({
    where: { channelAccountId, externalThreadId },
    select: { id: true, mergedIntoId: true },
    orderBy: { createdAt: 'desc' },
  });
  if (!conversation) return;
  const conversationId = conversation.mergedIntoId ?? conversation.id;
  if (await isSendingTo({ channelAccountId, externalThreadId })) {
    throw new NotYet('The outcome of a message being sent');
  }
  // The outcome of a message may have been recorded between the first lookup and the check.
  if (await findOutgoingByProviderId(sent)) return;
  const { files, notes } = await fetchFiles(workspaceId, echo.files);
  const content = truncateText(
    [echo.content, ...notes].filter((text) => text !== '').join('\n\n'),
    CONTENT_MAX_LENGTH,
  );
  const now = new Date();
  await inTransaction(async (tx) => {
    const message = await tx.message.createManyAndReturn({
      data: {
        workspaceId,
        conversationId,
        direction: 'outbound',
        authorKind: 'teammate',
        authorName: `Sent from ${CHANNEL_NAMES[channel].name}`,
        content,
        attachmentsCount: files.length,
        sendStatus: 'sent',
        externalId,
        createdAt: now,
      },
      skipDuplicates: true,
      select: { id: true },
    });
    const [made] = message;
    if (!made) return;
    await linkFiles(tx, { workspaceId, messageId: made.id, files, now });
    await tx.conversation.updateMany({
      where: { id: conversationId },
      data: { lastMessageAt: now, waitingSince: null },
    });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** Returns whether a message is being sent from a conversation of the thread, or from one that it was merged into. */
async function isSendingTo(thread: { channelAccountId: string; externalThreadId: string }): Promise<boolean> {
  const { channelAccountId, externalThreadId } = thread;
  const found = await db().$queryRaw<unknown[]>`
    select 1 from messages
    where send_status = 'sending' and conversation_id in (
      select unnest(array[id, merged_into_id]) from conversations
      where channel_account_id = ${channelAccountId}::uuid and external_thread_id = ${externalThreadId}
    )
    limit 1`;
  return found.length > 0;
}
