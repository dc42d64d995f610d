import { z } from 'zod';
import type { AccountChannel, ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { lookUpPerson } from '#server/inbox/channels/look-up-person.ts';
import { callGraph } from '#server/inbox/channels/meta/graph-api.ts';
import { UNSENT } from '#server/inbox/channels/meta/meta-files.ts';
import { text, verifyMeta } from '#server/inbox/channels/meta/meta-webhook.ts';
import {
  type PageMessage,
  type PageMessaging,
  pageBodyShape,
  parsePageContent,
} from '#server/inbox/channels/meta/page-message.ts';
import {
  digestOfBody,
  type KeptUpdate,
  type ReceivedUpdate,
} from '#server/inbox/channels/received-update.ts';

/** The pages or Instagram accounts that a webhook is about. An app at Meta has one address for all of them. */
function pagesIn(body: Buffer): string[] {
  return [...new Set(entriesOf(body).map(({ id }) => id))];
}

/**
 * Reads a webhook of Messenger or Instagram: messages, their edits and deletions, buttons, and what was written in Meta's own
 * apps. Reactions, receipts and what is about other accounts are nothing.
 */
async function receivePage({ body }: KeptUpdate, account: ConnectedAccount): Promise<ReceivedUpdate[]> {
  const received: ReceivedUpdate[] = [];
  for (const { id, messaging } of entriesOf(body)) {
    if (id !== account.externalId) continue;
    for (const each of messaging) received.push(...(await readMessaging(account, each)));
  }
  return received;
}

/** A message of Messenger or Instagram, one of a kind for its account. */
export function pageMessageId(
  { channel, externalId }: Pick<ConnectedAccount, 'channel' | 'externalId'>,
  mid: string,
): string {
  return `${channel}:${externalId}:${mid}`;
}

function entriesOf(body: Buffer) {
  return pageBodyShape.safeParse(JSON.parse(body.toString('utf8'))).data?.entry ?? [];
}

async function readMessaging(account: ConnectedAccount, each: PageMessaging): Promise<ReceivedUpdate[]> {
  const { message, message_edit: edit, postback, sender, timestamp } = each;
  const editedAt = new Date(timestamp);
  if (edit) {
    const externalId = pageMessageId(account, edit.mid);
    return [{ kind: 'edit', externalId, content: edit.text ?? '', editedAt }];
  }
  if (message?.is_echo) return readEcho(account, each, message);
  if (sender.id === account.externalId) return [];
  if (message?.is_deleted) {
    const externalId = pageMessageId(account, message.mid);
    return [{ kind: 'edit', externalId, content: UNSENT, editedAt }];
  }
  if (message) return [await parseMessage(account, each, message.mid, parsePageContent(message))];
  // A button that was pressed is what its person says by it; older ones have no id of their own.
  if (!postback?.title) return [];
  const mid = postback.mid ?? `postback-${sender.id}-${timestamp}`;
  return [await parseMessage(account, each, mid, { content: postback.title, files: [] })];
}

async function parseMessage(
  account: ConnectedAccount,
  { sender }: PageMessaging,
  mid: string,
  read: ReturnType<typeof parsePageContent>,
): Promise<ReceivedUpdate> {
  return {
    kind: 'message',
    externalId: pageMessageId(account, mid),
    threadId: sender.id,
    identity: {
      externalId: sender.id,
      scope: account.externalId,
      name: await findPagePerson(account, sender.id),
      phone: null,
    },
    ...read,
  };
}

/** What the account itself sent: from here, which is known, or from elsewhere. What was deleted there stays here. */
function readEcho(
  account: ConnectedAccount,
  { recipient }: PageMessaging,
  message: PageMessage,
): ReceivedUpdate[] {
  if (message.is_deleted) return [];
  const externalId = pageMessageId(account, message.mid);
  return [{ kind: 'echo', externalId, threadId: recipient.id, ...parsePageContent(message) }];
}

const FIELDS = { messenger: 'first_name,last_name', instagram: 'name,username' } as const;

const personShape = z.object({ first_name: text, last_name: text, name: text, username: text });

/** Returns the name of a person who writes to a page or an Instagram account (Messenger Platform, user profile). */
function findPagePerson(
  { id, credentials, channel }: ConnectedAccount,
  personId: string,
): Promise<string | null> {
  const fields = channel === 'instagram' ? FIELDS.instagram : FIELDS.messenger;
  return lookUpPerson({ accountId: id, personId }, (signal) =>
    requestName(credentials.accessToken ?? '', personId, { fields, signal }),
  );
}

async function requestName(
  token: string,
  personId: string,
  { fields, signal }: { fields: string; signal: AbortSignal },
): Promise<string | null> {
  const response = await callGraph({ token, path: personId, query: { fields }, signal });
  const person = response.ok ? personShape.safeParse(response.body).data : undefined;
  if (!person) return null;
  const { first_name, last_name, name, username } = person;
  return [first_name, last_name].filter(Boolean).join(' ') || name || username || null;
}

/** How Meta calls for Messenger and Instagram, whose webhooks have one shape. */
export const pageWebhook: AccountChannel['webhook'] = {
  verify: verifyMeta,
  names: pagesIn,
  updateId: digestOfBody,
  keptHeaders: [],
  receive: receivePage,
};
