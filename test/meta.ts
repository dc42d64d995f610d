import { createHmac, randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { db } from '#server/core/database/db.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { openAccount, sealedAccountSelect } from '#server/inbox/channels/accounts/open-account.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { processUpdates } from '#server/inbox/provider-updates/process-updates.ts';
import { connectNew } from '#test/channel-service.ts';
import type { ProviderCall } from '#test/provider-server.ts';
import { newAddress } from '#test/sign-in.ts';

export type MetaAccount = Awaited<ReturnType<typeof connectMeta>>;

/** An id as Meta gives them. */
export const metaId = () => `1${randomInt(1e9, 9e9)}${randomInt(1e4, 9e4)}`;

/** An owner who connects an account of Meta's. `field` is the name of the field for its id. */
export async function connectMeta(channel: Channel, field: string, more: Record<string, string> = {}) {
  const externalId = metaId();
  const appSecret = Array.from({ length: 32 }, () => randomInt(16).toString(16)).join('');
  const fields = { [field]: externalId, accessToken: `EAA${metaId()}`, appSecret, ...more };
  const account = await connectNew(channel, fields);
  return { ...account, externalId, ...fields, appSecret: fields.appSecret, accessToken: fields.accessToken };
}

/** The Graph API's response to a question about something: its fields, with a name. */
export function describeObject({ method, path }: ProviderCall): object | undefined {
  const [, id] = /^\/v\d+\.\d+\/(\d+)\?/.exec(path) ?? [];
  if (method === 'GET' && path.includes('/debug_token?')) {
    return { data: { app_id: '1', is_valid: true, expires_at: 0, data_access_expires_at: 0 } };
  }
  if (/\/subscribed_apps/.test(path)) return { success: true };
  return id && method === 'GET' ? { id, name: 'Acme', username: 'acme' } : undefined;
}

/** The body of an error of the Graph API. */
export function graphError(
  code: number,
  given: { subcode?: number; details?: string; message?: string } = {},
) {
  const { subcode, details, message = `(#${code}) Something` } = given;
  return {
    error: {
      message,
      type: 'OAuthException',
      code,
      ...(subcode ? { error_subcode: subcode } : {}),
      ...(details ? { error_data: { messaging_product: 'whatsapp', details } } : {}),
      fbtrace_id: 'AbCdEf',
    },
  };
}

export const sign = (body: string, secret: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Calls the webhook of an account as Meta does. Returns the status. */
export async function callWebhook(
  url: string,
  { id, channel, appSecret }: Pick<MetaAccount, 'id' | 'channel' | 'appSecret'>,
  given: unknown,
  headers?: Record<string, string>,
): Promise<number> {
  const body = typeof given === 'string' ? given : JSON.stringify(given);
  const response = await fetch(`${url}/webhooks/${channel}/${id}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': newAddress(),
      ...(headers ?? { 'x-hub-signature-256': sign(body, appSecret) }),
    },
    body,
  });
  await response.text();
  return response.status;
}

/** An update that is taken in and worked off. */
export async function receiveUpdate(url: string, account: MetaAccount, body: unknown): Promise<void> {
  expect(await callWebhook(url, account, body)).toBe(200);
  await processUpdates(account.id);
}

export async function replyIn(account: MetaAccount, content = 'On its way.') {
  const { workspaceId, by } = account;
  const { id } = await db().conversation.findFirstOrThrow({
    where: { workspaceId },
    orderBy: { createdAt: 'desc' },
  });
  return sendReply({ workspaceId, id, actor: { kind: 'teammate', teammate: by }, content });
}

/** As if everything of a workspace had been received so long ago. */
export async function age({ workspaceId }: { workspaceId: string }, hours: number): Promise<void> {
  const createdAt = new Date(Date.now() - hours * 3_600_000);
  await db().message.updateMany({ where: { workspaceId, direction: 'inbound' }, data: { createdAt } });
}

export const messagesIn = ({ workspaceId }: { workspaceId: string }) =>
  db().message.findMany({
    where: { workspaceId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: { attachments: true },
  });

export const accountRow = ({ id }: { id: string }) =>
  db().channelAccount.findUniqueOrThrow({ where: { id } });

export async function verifyTokenOf({ id }: { id: string }): Promise<string> {
  const row = await db().channelAccount.findUniqueOrThrow({ where: { id }, select: sealedAccountSelect });
  return openAccount(row).credentials.verifyToken ?? '';
}
