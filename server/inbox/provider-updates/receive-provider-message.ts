import { db } from '#server/core/database/db.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';
import { discardFiles } from '#server/inbox/files/discard-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { findReceived } from '#server/inbox/messages/find-received.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { fetchFiles } from '#server/inbox/provider-updates/fetch-files.ts';

type ReceivedMessage = Extract<ReceivedUpdate, { kind: 'message' }>;

/** Takes in a message of a contact with its files, which are fetched before anything is locked. Once, however often it comes. */
export async function takeMessage(account: ConnectedAccount, message: ReceivedMessage): Promise<void> {
  const { workspaceId, channel } = account;
  const { externalId, threadId, identity } = message;
  if (await findReceived({ workspaceId, externalId })) return;
  if (message.startsConversation === false && !(await hasConversation(account.id, threadId))) return;
  const { files, notes } = await fetchFiles(workspaceId, message.files);
  try {
    await receiveMessage({
      workspaceId,
      channel,
      channelAccountId: account.id,
      identity: { channel, ...identity },
      contact: { fields: {} },
      subject: null,
      mailboxId: null,
      externalThreadId: threadId,
      isTest: false,
      conversationId: null,
      content: [message.content, ...notes].filter((text) => text !== '').join('\n\n'),
      attachmentsCount: files.length,
      attachments: files,
      externalId,
    });
  } finally {
    await discardFiles(files.map((file: StoredFile) => file.id));
  }
}

async function hasConversation(channelAccountId: string, externalThreadId: string): Promise<boolean> {
  return (await db().conversation.count({ where: { channelAccountId, externalThreadId } })) > 0;
}
