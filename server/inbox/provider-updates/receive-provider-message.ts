import type { ChannelIdentity } from '#server/contacts/contact-of-identity.ts';
import { db } from '#server/core/database/prisma.ts';
import { refusalIn } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { ProviderFault } from '#server/core/provider-request.ts';
import { cleanName, foldLines, truncateText } from '#server/core/text.ts';
import {
  chatKey,
  findBlocking,
  refuseBlocked,
  type SenderKeys,
} from '#server/inbox/blocked-senders/find-blocking.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { joinContents } from '#server/inbox/channels/content-of-message.ts';
import type {
  ReceivedContext,
  ReceivedFile,
  ReceivedPart,
  ReceivedUpdate,
} from '#server/inbox/channels/received-update.ts';
import { discardFiles, type StoredFile, storeFile } from '#server/inbox/files/store-file.ts';
import { addParts } from '#server/inbox/messages/album-parts.ts';
import { changeReactions } from '#server/inbox/messages/change-reactions.ts';
import { NotYet } from '#server/inbox/messages/edit-message.ts';
import { findChatMessage } from '#server/inbox/messages/find-chat-message.ts';
import {
  findReceived,
  type IncomingMessage,
  type MessageContext,
  type MessagePart,
} from '#server/inbox/messages/incoming-message.ts';
import { receiveNew } from '#server/inbox/messages/receive-message.ts';
import { waitsForRetry } from '#server/inbox/provider-updates/waits-for-retry.ts';

/** Processing of an update. Only the last attempt does without a file that cannot be fetched now. */
export type Attempt = { isLastAttempt: boolean };

type ReceivedMessage = Extract<ReceivedUpdate, { kind: 'message' }>;

/**
 * Receives a message of a contact once, even if it is reported again. Ignores blocked senders. Fetches its files before
 * locking anything.
 * @throws NotYet when the conversation of its thread may start once an earlier update is retried
 */
export async function receiveProviderMessage(
  account: ConnectedAccount,
  message: ReceivedMessage,
  attempt: Attempt,
): Promise<void> {
  const { workspaceId, channel } = account;
  const { externalId, threadId, identity } = message;
  const isAlbum = message.parts !== undefined;
  const known = await findReceived({ workspaceId, externalId });
  const missing = isAlbum ? await findMissing(workspaceId, message.parts ?? []) : known ? [] : [message];
  if (missing.length === 0) return;
  if (message.startsConversation === false && !(await hasConversation(account.id, threadId))) {
    if (await waitsForRetry(account.id)) throw new NotYet('The first message of the thread');
    return;
  }
  if ((await refuseBlocked(db(), [workspaceId], keysOf({ channel, ...identity }))).size > 0) return;
  const parts: FetchedPart[] = [];
  try {
    for (const each of missing) parts.push(await fetchPart(workspaceId, each, attempt));
    const incoming: IncomingMessage = {
      workspaceId,
      channel,
      channelAccountId: account.id,
      externalThreadId: threadId,
      content: joinContents(parts.map(({ content }) => content)),
      attachments: parts.flatMap(({ files }) => files),
      parts: isAlbum ? parts : [],
      externalId,
      senderName: identity.name,
      context: await contextOf(workspaceId, message.context),
    };
    const { messageId } =
      known ?? (await receiveNew(incoming, { kind: 'thread', identity: { channel, ...identity } }));
    // The message may have been received before these parts, also by another worker in the meantime.
    if (isAlbum) await addParts({ workspaceId, messageId, parts });
  } finally {
    await discardFiles(parts.flatMap(({ files }) => files.map(({ id }) => id)));
  }
}

/** A part of an album or a whole message, with its files stored. */
type FetchedPart = MessagePart & { files: StoredFile[] };

async function findMissing(workspaceId: string, parts: ReceivedPart[]): Promise<ReceivedPart[]> {
  const stored = await db().messagePart.findMany({
    where: { workspaceId, externalId: { in: parts.map(({ externalId }) => externalId) } },
    select: { externalId: true },
  });
  const ids = new Set(stored.map(({ externalId }) => externalId));
  return parts.filter(({ externalId }) => !ids.has(externalId));
}

async function fetchPart(
  workspaceId: string,
  { externalId, content, files: received }: ReceivedPart,
  attempt: Attempt,
): Promise<FetchedPart> {
  const { files, notes } = await fetchFiles(workspaceId, received, attempt);
  return { externalId, files, content: [content, ...notes].filter((text) => text !== '').join('\n\n') };
}

/** Maximum length of the title and source of an ad, and of a message that is quoted, in characters. */
const QUOTED_MAX_LENGTH = 200;

/** Returns what a message is about; null if it says nothing of it, or answers a message that cannot be had. */
async function contextOf(
  workspaceId: string,
  { answers, findAnswered, isAboutStory = false, isForwarded = false, ad }: ReceivedContext = {},
): Promise<MessageContext | null> {
  const answersId =
    answers === undefined ? null : await findChatMessage({ workspaceId, externalId: answers });
  const found = answersId === null && findAnswered ? await findAnswered() : null;
  if (answersId === null && !found && !isAboutStory && !isForwarded && !ad) return null;
  const short = (text: string) => truncateText(foldLines(text), QUOTED_MAX_LENGTH);
  return {
    answersId,
    ...(found && {
      quoted: {
        ...found,
        author: short(cleanName(found.author ?? '')) || null,
        content: short(found.content),
      },
    }),
    isAboutStory,
    isForwarded,
    ad: ad ? { title: short(ad.title), source: short(ad.source) } : null,
  };
}

/** Changes a person's reactions to a message. Ignores blocked senders, and messages that are not stored here. */
export async function receiveProviderReaction(
  { workspaceId, channel }: ConnectedAccount,
  { externalId, identity, findName, added, removed }: Extract<ReceivedUpdate, { kind: 'reaction' }>,
): Promise<void> {
  const messageId = await findChatMessage({ workspaceId, externalId });
  if (messageId === null) return;
  if ((await findBlocking(db(), [workspaceId], keysOf({ channel, ...identity }))).size > 0) return;
  const name = findName ? await findName() : identity.name;
  const author = { address: identity.externalId, name: cleanName(name ?? '') || null };
  await changeReactions({ workspaceId, messageId, author, added, removed });
}

function keysOf(identity: ChannelIdentity): SenderKeys {
  const { externalId, aliases = [], email } = identity;
  const chats = [externalId, ...aliases].map((id) => chatKey({ ...identity, externalId: id }));
  return { emails: email ? [email] : [], chats };
}

async function hasConversation(channelAccountId: string, externalThreadId: string): Promise<boolean> {
  return (await db().conversation.count({ where: { channelAccountId, externalThreadId } })) > 0;
}

/** Maximum number of files of a message. A note in the message counts the others. */
const FILES_MAX = 20;

/**
 * Fetches the files of a message from the provider and stores them. Returns a note for each file that cannot be had, to be
 * added to the message.
 * @throws when a later attempt may fetch a file
 */
export async function fetchFiles(
  workspaceId: string,
  files: ReceivedFile[],
  { isLastAttempt }: Attempt,
): Promise<{ files: StoredFile[]; notes: string[] }> {
  const fetched: StoredFile[] = [];
  const notes: string[] = [];
  for (const { name, contentType, open } of files.slice(0, FILES_MAX)) {
    try {
      fetched.push(await storeFile(workspaceId, { name, contentType, source: await open() }));
    } catch (error) {
      log().warn({ err: error, workspaceId }, 'update.file_not_fetched');
      if (!isLastAttempt && !isFinal(error)) {
        await discardFiles(fetched.map(({ id }) => id));
        // Without the cause: a file store that is down must not look like a database that is down.
        throw new Error('A file could not be fetched.');
      }
      const why = refusalIn(error) ? 'there is no room for more files' : 'it could not be fetched';
      notes.push(`[The file “${name}” is missing: ${why}.]`);
    }
  }
  const left = files.length - FILES_MAX;
  if (left > 0) notes.push(`[${left} more ${left === 1 ? 'file is' : 'files are'} missing.]`);
  return { files: fetched, notes };
}

/** Returns true if the workspace has no room, or the provider's file is too large or gone: a retry would fail as well. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ProviderFault)) return refusalIn(error) !== undefined;
  return error.providerFault === 'too_large' || error.providerFault === 'refused';
}
