import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { processUpdates, retryUpdate } from '#server/inbox/provider-updates/process-updates.ts';
import { replayUpdates } from '#server/inbox/provider-updates/store-update.ts';
import { type MetaAccount, messagesIn } from '#test/fixtures/meta.ts';
import {
  change,
  cloudApi,
  contacts,
  messageOf,
  wamid,
  webhook,
  test as whatsappTest,
} from '#test/fixtures/whatsapp-test.ts';
import type { ProviderResponse, ProviderServer } from '#test/servers/provider-server.ts';

const test = whatsappTest.extend('account', ({ whatsapp }) => whatsapp.connect());

const ATTEMPTS = 5;

describe('an edit of an unknown message', () => {
  test('holds back no message of the same webhook, and is given up without an error', async ({
    account,
    whatsapp,
  }) => {
    await whatsapp.receive(account, changesOf(account, [unknownEdit(), messageOf(), messageOf()]));
    expect(await messagesIn(account)).toHaveLength(2);
    for (let time = 0; time < 2; time += 1) await retryUpdate((await updateOf(account)).id);
    expect(await updateOf(account)).toMatchObject({ processedAt: expect.any(Date), error: null });
    expect(await messagesIn(account)).toHaveLength(2);
  });

  test('does not end the retries of a message of the same webhook', async ({
    account,
    provider,
    whatsapp,
  }) => {
    serveFiles(provider, () => ({ status: 503 }));
    await whatsapp.receive(account, changesOf(account, [unknownEdit(), picture()]));
    for (let time = 0; time < 2; time += 1) await retryUpdate((await updateOf(account)).id);
    expect(await updateOf(account)).toMatchObject({ processedAt: null, error: expect.any(String) });
  });
});

describe('a message whose file cannot be fetched', () => {
  test('yet is received without it and without text if its author deleted it in the meantime', async ({
    account,
    provider,
    whatsapp,
  }) => {
    let response: ProviderResponse = { status: 503 };
    serveFiles(provider, () => response);
    const sent = picture();
    await whatsapp.receive(account, changesOf(account, [sent]));
    const revoke = { original_message_id: sent.id };
    await whatsapp.receive(
      account,
      changesOf(account, [{ ...messageOf({ type: 'revoke', text: undefined }), revoke }]),
    );
    const [message, deletion] = await updatesOf(account);
    for (const id of [deletion?.id, message?.id, deletion?.id, message?.id]) await retryUpdate(id ?? '');
    response = { bytes: Buffer.from('89504e470d0a1a0a', 'hex') };
    for (const id of [message?.id, deletion?.id]) await retryUpdate(id ?? '');
    expect(await messagesIn(account)).toMatchObject([
      { content: '[The contact deleted this message.]', attachmentsCount: 0, attachments: [] },
    ]);
    expect(await updatesOf(account)).toMatchObject([{ error: null }, { error: null }]);
  });

  test('because of a temporary fault is received with its file later', async ({
    account,
    provider,
    whatsapp,
  }) => {
    let response: ProviderResponse = { status: 503 };
    serveFiles(provider, () => response);
    await whatsapp.receive(account, changesOf(account, [picture()]));
    expect(await messagesIn(account)).toEqual([]);
    response = { bytes: Buffer.from('89504e470d0a1a0a', 'hex') };
    await retryUpdate((await updateOf(account)).id);
    expect(await messagesIn(account)).toMatchObject([{ content: 'Broken', attachments: [{ sizeBytes: 8 }] }]);
  });

  test('in any attempt is received without it, with a note', async ({ account, provider, whatsapp }) => {
    serveFiles(provider, () => ({ status: 503 }));
    await whatsapp.receive(account, changesOf(account, [picture()]));
    for (let attempt = 2; attempt <= ATTEMPTS; attempt += 1) {
      expect(await messagesIn(account)).toEqual([]);
      await retryUpdate((await updateOf(account)).id);
    }
    expect(await messagesIn(account)).toMatchObject([
      { content: 'Broken\n\n[The file “image.png” is missing: it could not be fetched.]' },
    ]);
    expect(await updateOf(account)).toMatchObject({ processedAt: expect.any(Date), error: null });
  });

  test('because Meta deleted it is received without waiting', async ({ account, provider, whatsapp }) => {
    serveFiles(provider, () => ({ status: 404 }));
    await whatsapp.receive(account, changesOf(account, [picture()]));
    expect(await messagesIn(account)).toMatchObject([{ content: expect.stringContaining('is missing') }]);
  });
});

test('updates that no attempt could process notify owners and admins once, until they are tried again', async ({
  account,
  whatsapp,
}) => {
  const { id, workspaceId } = account;
  const { credentials } = await db().channelAccount.findUniqueOrThrow({ where: { id } });
  const notified = () =>
    db().notification.findMany({ where: { workspaceId, kind: 'channel_update_failed' } });
  const fail = async () => {
    await db().channelAccount.update({ where: { id }, data: { credentials: Uint8Array.from([1]) } });
    await processUpdates(id);
    for (let attempt = 2; attempt <= ATTEMPTS; attempt += 1) {
      for (const update of await updatesOf(account)) await retryUpdate(update.id);
    }
    await db().channelAccount.update({ where: { id }, data: { credentials } });
  };
  for (let time = 0; time < 2; time += 1) await whatsapp.call(account, changesOf(account, [messageOf()]));
  await fail();
  expect(await notified()).toMatchObject([
    { userId: account.by.id, data: { accountId: id, channel: 'whatsapp', accountName: expect.any(String) } },
  ]);
  expect(await replayUpdates({ workspaceId, accountId: id })).toBe(2);
  await fail();
  expect(await notified()).toHaveLength(2);
});

const MEDIA_ID = '2754859441498128';

const picture = () =>
  messageOf({
    type: 'image',
    text: undefined,
    image: { id: MEDIA_ID, mime_type: 'image/png', caption: 'Broken' },
  });

const unknownEdit = () => ({
  ...messageOf({ type: 'edit', text: undefined }),
  edit: { original_message_id: wamid(), message: { type: 'text', text: { body: 'In red?' } } },
});

const changesOf = (account: MetaAccount, messages: object[]) =>
  webhook(change(account, { contacts, messages }));

/** Answers requests for the file of `picture` with `response`, and all others as the provider does. */
function serveFiles(provider: ProviderServer, response: () => ProviderResponse): void {
  provider.respond((call) =>
    call.path.startsWith('/files/') ? response() : { json: mediaApi(call, provider.url) },
  );
}

const mediaApi = (call: Parameters<typeof cloudApi>[0], url: string) =>
  call.path.includes(`/${MEDIA_ID}?`) ? { url: `${url}/files/a.png` } : (cloudApi(call) ?? {});

const updatesOf = ({ id }: MetaAccount) =>
  db().inboundUpdate.findMany({ where: { accountId: id }, orderBy: { receivedAt: 'asc' } });

const updateOf = ({ id }: MetaAccount) => db().inboundUpdate.findFirstOrThrow({ where: { accountId: id } });
