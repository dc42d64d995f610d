import type { z } from 'zod';
import { db } from '#server/core/database/prisma.ts';
import { isStorableText } from '#server/core/text.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { titledContent } from '#server/inbox/channels/content-of-message.ts';
import { errorMessage } from '#server/inbox/channels/meta/graph-errors.ts';
import type {
  ReceivedContext,
  ReceivedIdentity,
  ReceivedUpdate,
  StoredUpdate,
} from '#server/inbox/channels/received-update.ts';
import {
  bodyShape,
  parseWhatsappContent,
  valueShape,
  type WhatsappMessage,
} from '#server/inbox/channels/whatsapp/whatsapp-message.ts';

type Value = z.infer<typeof valueShape>;

/** Returns the numbers in a webhook. A Meta app has one address for all of its numbers. */
export function numbersIn(body: Buffer): string[] {
  return [...new Set(valuesIn(body).map(({ metadata }) => metadata.phone_number_id))];
}

/**
 * Parses a WhatsApp webhook: messages, reactions, edits, deletions, messages sent from the phone app, and statuses. Ignores other
 * numbers than the account's own.
 */
export async function receiveWhatsapp(
  { body }: StoredUpdate,
  account: ConnectedAccount,
): Promise<ReceivedUpdate[]> {
  const received: ReceivedUpdate[] = [];
  for (const value of valuesIn(body)) {
    if (value.metadata.phone_number_id !== account.externalId) continue;
    for (const message of value.messages) received.push(...(await parseMessage(account, value, message)));
    for (const echo of value.message_echoes) received.push(...(await parseEcho(account, echo)));
    received.push(...value.statuses.flatMap((status) => parseStatus(account, status)));
  }
  return received;
}

/** Returns the external id of a message, unique per number. */
export function whatsappMessageId({ externalId }: Pick<ConnectedAccount, 'externalId'>, id: string): string {
  return `whatsapp:${externalId}:${id}`;
}

function valuesIn(body: Buffer): Value[] {
  const entry = bodyShape.safeParse(JSON.parse(body.toString('utf8'))).data?.entry ?? [];
  return entry.flatMap(({ changes }) =>
    changes.flatMap(({ field, value }) => {
      if (field !== 'messages' && field !== 'smb_message_echoes') return [];
      const parsed = valueShape.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

async function parseMessage(
  account: ConnectedAccount,
  value: Value,
  message: WhatsappMessage,
): Promise<ReceivedUpdate[]> {
  // The Groups API: a reply would go to the author alone.
  if (message.group_id !== undefined) return [];
  if (message.type === 'system') return parseNewIds(account, message);
  const { id, edit, revoke, timestamp } = message;
  const editedAt = new Date(timestamp * 1000);
  if (message.type === 'revoke' && revoke) {
    const externalId = whatsappMessageId(account, revoke.original_message_id);
    return [{ kind: 'edit', externalId, content: null, editedAt }];
  }
  if (message.type === 'edit' && edit) {
    const externalId = whatsappMessageId(account, edit.original_message_id);
    const content = parseWhatsappContent(edit.message, account)?.content ?? '';
    return [{ kind: 'edit', externalId, content, editedAt }];
  }
  const person = personOf(value, message);
  if (!person) return [];
  const { ids, name, phone } = person;
  if (message.type === 'reaction' && message.reaction) {
    const { message_id, emoji } = message.reaction;
    const externalId = whatsappMessageId(account, message_id);
    // Without an emoji, the reaction was removed.
    const added = emoji ? [emoji] : [];
    return [
      { kind: 'reaction', externalId, identity: identityOf(account, person), added, removed: 'others' },
    ];
  }
  const parsed = parseWhatsappContent(message, account);
  if (!parsed) return [];
  return [
    {
      kind: 'message',
      externalId: whatsappMessageId(account, id),
      threadId: await findThread(account, ids),
      identity: identityOf(account, { ids, name, phone }),
      context: contextOf(account, message),
      files: parsed.files,
      content: [productOf(message), parsed.content].filter(Boolean).join('\n'),
    },
  ];
}

/** Returns the product of the catalog that a message is about, as a line above its text (WhatsApp, text messages). */
function productOf({ context }: WhatsappMessage): string {
  const id = context?.referred_product?.product_retailer_id;
  return id ? titledContent('Product', id) : '';
}

function contextOf(account: ConnectedAccount, { context, referral }: WhatsappMessage): ReceivedContext {
  return {
    answers: context?.id && whatsappMessageId(account, context.id),
    isForwarded: context !== undefined && (context.forwarded || context.frequently_forwarded),
    ad: referral && {
      title: referral.headline || referral.body || '',
      source: referral.source_url || referral.source_id || '',
    },
  };
}

/** Parses the notice that a person has a new number or user id (WhatsApp, webhooks, system messages). */
function parseNewIds(account: ConnectedAccount, { from, system }: WhatsappMessage): ReceivedUpdate[] {
  const { wa_id, user_id, previous_user_id } = system ?? {};
  const [first, ...others] = [user_id, wa_id].filter((id) => id !== undefined);
  const earlierIds = [previous_user_id, from].filter((id) => id !== undefined);
  if (first === undefined || earlierIds.length === 0) return [];
  // A new user id alone leaves the number as it is.
  const replaced = [user_id && previous_user_id, wa_id && from];
  const abandonedIds = earlierIds.filter((id) => replaced.includes(id) && id !== user_id && id !== wa_id);
  const phone = wa_id === undefined ? null : phoneOf(wa_id);
  const ids: [string, ...string[]] = [first, ...others];
  return [{ kind: 'new_ids', earlierIds, abandonedIds, ids, scope: account.externalId, phone }];
}

function phoneOf(number: string): string {
  return `+${number.replace(/^\+/, '')}`;
}

type Person = { ids: [string, ...string[]]; name: string | null; phone: string | null };

/**
 * Identifies the sender by the business-scoped user id and by the phone number. One of the two may be missing.
 */
function personOf(value: Value, { from, from_user_id }: WhatsappMessage): Person | undefined {
  const contact =
    value.contacts.find(
      ({ wa_id, user_id }) =>
        (user_id !== undefined && user_id === from_user_id) || (wa_id !== undefined && wa_id === from),
    ) ?? (value.contacts.length === 1 ? value.contacts[0] : undefined);
  const number = from ?? contact?.wa_id;
  const [first, ...others] = [from_user_id ?? contact?.user_id, number].filter((id) => id !== undefined);
  if (first === undefined) return undefined;
  const { name, username } = contact?.profile ?? {};
  return {
    ids: [first, ...others],
    name: name || username || null,
    phone: number === undefined ? null : phoneOf(number),
  };
}

function identityOf(account: ConnectedAccount, { ids, name, phone }: Person): ReceivedIdentity {
  const [externalId, ...aliases] = ids;
  return { externalId, aliases, scope: account.externalId, name, phone };
}

/**
 * Returns the person's newest thread, under any of their ids, else a new thread. A message may have the user id, the number
 * or both, so the thread can have started under either id.
 */
async function findThread(account: ConnectedAccount, ids: Person['ids']): Promise<string> {
  // Text that cannot be stored: `processUpdates` then drops the update as malformed.
  if (!ids.every(isStorableText)) return ids[0];
  const all = ids.length > 1 ? ids : await findSamePerson(account, ids[0]);
  const conversation = await db().conversation.findFirst({
    where: { channelAccountId: account.id, externalThreadId: { in: all } },
    select: { externalThreadId: true },
    orderBy: { createdAt: 'desc' },
  });
  return conversation?.externalThreadId ?? ids[0];
}

/**
 * Returns a person's user id and number, given one of them. Other numbers of their contact are left out: a contact may be
 * merged from several, and each is answered separately.
 */
async function findSamePerson(
  { workspaceId, externalId: scope }: ConnectedAccount,
  id: string,
): Promise<string[]> {
  const channel = 'whatsapp' as const;
  const known = await db().contactIdentity.findUnique({
    where: { workspaceId_channel_scope_externalId: { workspaceId, channel, scope, externalId: id } },
    select: {
      phone: true,
      contact: {
        select: {
          identities: {
            where: { channel, scope, phone: { not: null } },
            select: { externalId: true, phone: true },
          },
        },
      },
    },
  });
  const others = known?.contact.identities.filter(({ phone }) => phone === known.phone) ?? [];
  return [id, ...others.map(({ externalId }) => externalId)];
}

async function parseEcho(
  account: ConnectedAccount,
  echo: Value['message_echoes'][number],
): Promise<ReceivedUpdate[]> {
  // Edits and deletions in the phone app are not applied here.
  if (echo.type === 'edit' || echo.type === 'revoke') return [];
  const parsed = parseWhatsappContent(echo, account, true);
  const [first, ...others] = [echo.to_user_id, echo.to].filter((id) => id !== undefined);
  if (!parsed || first === undefined) return [];
  const threadId = await findThread(account, [first, ...others]);
  return [{ kind: 'echo', externalId: whatsappMessageId(account, echo.id), threadId, ...parsed }];
}

function parseStatus(
  account: ConnectedAccount,
  { id, status, errors }: Value['statuses'][number],
): ReceivedUpdate[] {
  const providerId = whatsappMessageId(account, id);
  if (status === 'failed') {
    const [error] = errors;
    const message = error?.error_data?.details ?? error?.message ?? error?.title ?? '';
    const reason = error ? errorMessage('whatsapp', { code: error.code, subcode: null, message }) : null;
    return [{ kind: 'status', providerId, status: 'failed', reason }];
  }
  const isSent = status === 'sent' || status === 'delivered' || status === 'read' || status === 'played';
  return isSent ? [{ kind: 'status', providerId, status: 'sent', reason: null }] : [];
}
