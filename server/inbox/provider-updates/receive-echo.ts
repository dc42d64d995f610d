import { db, inTransaction } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { truncateText } from '#server/core/text.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { lockTargetConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { fileRows } from '#server/inbox/files/link-files.ts';
import { NotYet } from '#server/inbox/messages/edit-message.ts';
import { CONTENT_MAX_LENGTH } from '#server/inbox/messages/incoming-message.ts';
import { findOutgoingByProviderId } from '#server/inbox/messages/record-status.ts';
import { replyRecord } from '#server/inbox/messages/reply-record.ts';
import { type Attempt, fetchFiles } from '#server/inbox/provider-updates/receive-provider-message.ts';

type Echo = Extract<ReceivedUpdate, { kind: 'echo' }>;

/**
 * Adds a reply that somebody sent in the provider's own app to its thread. Like a reply from the inbox, it stops the first
 * response clock, silences the AI agent and starts automations on replies. Emits `reply.sent` for programs. Ignores the echo of a message sent by the service.
 * @throws NotYet while a message of the thread is being sent: the echo may be of that message, whose id is unknown
 */
export async function receiveEcho(account: ConnectedAccount, echo: Echo, attempt: Attempt): Promise<void> {
  const { id: channelAccountId, workspaceId, channel } = account;
  const { externalId, threadId: externalThreadId } = echo;
  const sent = { workspaceId, providerId: externalId };
  if (await findOutgoingByProviderId(sent)) return;
  const conversation = await db().conversation.findFirst({
    where: { channelAccountId, externalThreadId },
    select: { id: true },
    orderBy: { createdAt: 'desc' },
  });
  if (!conversation) return;
  if (await isSendingTo({ channelAccountId, externalThreadId })) {
    throw new NotYet('The outcome of a message being sent');
  }
  // The outcome of a message may have been recorded between the first lookup and the check.
  if (await findOutgoingByProviderId(sent)) return;
  const { files, notes } = await fetchFiles(workspaceId, echo.files, attempt);
  const content = truncateText(
    [echo.content, ...notes].filter((text) => text !== '').join('\n\n'),
    CONTENT_MAX_LENGTH,
  );
  await inTransaction(async (tx) => {
    const { conversation: target } = await lockTargetConversation(tx, { workspaceId, id: conversation.id });
    const now = new Date();
    const message = await tx.message.createManyAndReturn({
      data: {
        workspaceId,
        conversationId: target.id,
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
    const saved = { id: made.id, conversationId: target.id, content, createdAt: now };
    const reply = replyRecord({ ...saved, sendStatus: 'sent' });
    const change = changeOf({
      rows: await fileRows(tx, { workspaceId, messageId: made.id, files, now }),
      columns: { lastMessageAt: now, waitingSince: null, aiAgentSilenced: true },
      clocks: ['first_response_given'],
      events: [{ key: 'reply.sent', details: { reply } }],
      flowCauses: [{ kind: 'replied' }],
    });
    await persistChange(tx, target, { actor: { kind: 'automatic' }, change, now });
  });
}

/** Returns whether a message is being sent from a conversation of the thread, or from one that it was merged into. */
async function isSendingTo(thread: { channelAccountId: string; externalThreadId: string }): Promise<boolean> {
  const { channelAccountId, externalThreadId } = thread;
  const found = await sql().$queryRaw<unknown[]>`
    select 1 from messages
    where send_status = 'sending' and conversation_id in (
      select unnest(array[id, merged_into_id]) from conversations
      where channel_account_id = ${channelAccountId}::uuid and external_thread_id = ${externalThreadId}
    )
    limit 1`;
  return found.length > 0;
}
