import { z } from 'zod';
import type { AccountChannel, ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { lookUp } from '#server/inbox/channels/look-up.ts';
import { callGraph } from '#server/inbox/channels/meta/graph-api.ts';
import { text, verifyMeta } from '#server/inbox/channels/meta/meta-webhook.ts';
import {
  type PageMessage,
  type PageMessaging,
  pageBodyShape,
  parsePageContent,
} from '#server/inbox/channels/meta/page-message.ts';
import {
  digestOfBody,
  type ReceivedContext,
  type ReceivedUpdate,
  type StoredUpdate,
} from '#server/inbox/channels/received-update.ts';

/** Returns the pages or Instagram accounts in a webhook. A Meta app has one address for all of them. */
function pagesIn(body: Buffer): string[] {
  return [...new Set(entriesOf(body).map(({ id }) => id))];
}

/**
 * Parses a webhook of Messenger or Instagram: messages, edits, deletions, buttons, and messages sent from Meta's own
 * apps, and reactions. Ignores receipts and other accounts.
 */
async function receivePage({ body }: StoredUpdate, account: ConnectedAccount): Promise<ReceivedUpdate[]> {
  const received: ReceivedUpdate[] = [];
  for (const { id, messaging } of entriesOf(body)) {
    if (id !== account.externalId) continue;
    for (const each of messaging) received.push(...(await parseMessaging(account, each)));
  }
  return received;
}

/** Returns the external id of a message, unique per account. */
export function pageMessageId(
  { channel, externalId }: Pick<ConnectedAccount, 'channel' | 'externalId'>,
  mid: string,
): string {
  return `${channel}:${externalId}:${mid}`;
}

function entriesOf(body: Buffer) {
  return pageBodyShape.safeParse(JSON.parse(body.toString('utf8'))).data?.entry ?? [];
}

async function parseMessaging(account: ConnectedAccount, each: PageMessaging): Promise<ReceivedUpdate[]> {
  const { message, message_edit: edit, postback, sender, timestamp } = each;
  const editedAt = new Date(timestamp);
  if (edit) {
    const externalId = pageMessageId(account, edit.mid);
    return [{ kind: 'edit', externalId, content: edit.text ?? '', editedAt }];
  }
  if (message?.is_echo) return parseEcho(account, each, message);
  if (sender.id === account.externalId) return [];
  if (message?.is_deleted) {
    const externalId = pageMessageId(account, message.mid);
    return [{ kind: 'edit', externalId, content: null, editedAt }];
  }
  if (each.reaction) return [parseReaction(account, each, each.reaction)];
  if (message) {
    const parsed = { ...parsePageContent(message), context: contextOf(account, message) };
    return [await parseMessage(account, each, message.mid, parsed)];
  }
  // A pressed button counts as a message with its title. Older buttons have no id.
  if (!postback?.title) return [];
  const mid = postback.mid ?? `postback-${sender.id}-${timestamp}`;
  return [await parseMessage(account, each, mid, { content: postback.title, files: [] })];
}

function parseReaction(
  account: ConnectedAccount,
  { sender }: PageMessaging,
  { mid, action, emoji }: NonNullable<PageMessaging['reaction']>,
): ReceivedUpdate {
  return {
    kind: 'reaction',
    externalId: pageMessageId(account, mid),
    identity: { externalId: sender.id, scope: account.externalId, name: null, phone: null },
    findName: () => findPagePerson(account, sender.id),
    added: action === 'react' && emoji ? [emoji] : [],
    removed: 'others',
  };
}

async function parseMessage(
  account: ConnectedAccount,
  { sender }: PageMessaging,
  mid: string,
  parsed: ReturnType<typeof parsePageContent> & { context?: ReceivedContext },
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
    ...parsed,
  };
}

function contextOf(account: ConnectedAccount, { reply_to, referral }: PageMessage): ReceivedContext {
  const title = referral?.ads_context_data?.ad_title ?? '';
  return {
    answers: reply_to?.mid && pageMessageId(account, reply_to.mid),
    isAboutStory: reply_to?.story !== undefined,
    ad: referral?.ad_id === undefined ? undefined : { title, source: referral.ad_id },
  };
}

/** Parses a message that the account itself sent, from here or from Meta's apps. Deletions there are ignored. */
function parseEcho(
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
  return lookUp({ accountId: id, id: personId }, (signal) =>
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

/** Webhook of Messenger and Instagram, whose bodies have one shape. */
export const pageWebhook: AccountChannel['webhook'] = {
  verify: verifyMeta,
  names: pagesIn,
  updateId: digestOfBody,
  storedHeaders: [],
  receive: receivePage,
};
