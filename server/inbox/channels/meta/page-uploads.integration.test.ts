import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '#scripts/tools/ports.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { type Running, startProviders } from '#stand-ins/providers/start-providers.ts';
import type { Account } from '#stand-ins/providers/state.ts';
import { connectNew } from '#test/fixtures/channel-service.ts';
import { incoming } from '#test/fixtures/incoming.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { replyWithFile } from '#test/fixtures/stored-files.ts';

// The provider stand-in follows Meta's published paths, limits and errors, and shares no code with the service.

let service: TestService;
let providers: Running;
beforeAll(async () => {
  const [port, smtpPort] = [await findFreePort(), await findFreePort()];
  const url = `http://localhost:${port}`;
  const serviceUrl = 'http://127.0.0.1:9';
  providers = await startProviders({
    serviceUrl,
    serviceName: 'Inbox',
    port,
    smtpPort,
    inboundSmtpPort: null,
    url,
  });
  service = await startTestService({ META_API_URL: `${url}/meta` });
});
afterAll(async () => {
  await service.stop();
  await providers.stop();
});
beforeEach(() => {
  providers.providers.state.apiCalls.length = 0;
});

const PNG = { name: 'label.png', contentType: 'image/png', content: '\x89PNG\r\n\x1a\n' };
const PDF = { name: 'Größe.pdf', contentType: 'application/pdf', content: '%PDF-1.4 a bill' };

describe.each([
  ['messenger', 'pageId'],
  ['instagram', 'accountId'],
] as const)('on %s', (channel, field) => {
  let providerAccount: Account;
  let account: Awaited<ReturnType<typeof connectNew>>;
  const person = `7${randomInt(1e9, 9e9)}${randomInt(1e4, 9e4)}`;
  // A provider account can be connected only once per installation.
  beforeAll(async () => {
    const accounts = [...providers.providers.state.accounts.values()];
    const found = accounts.find((each) => each.channel === channel);
    if (!found) throw new Error(`The stand-in has no account of ${channel}.`);
    providerAccount = found;
    const { externalId, token, secret } = providerAccount;
    account = await connectNew(channel, { [field]: externalId, accessToken: token, appSecret: secret });
    const { id, workspaceId } = account;
    const message = incoming(workspaceId, {
      channel,
      identity: { externalId: person, scope: externalId, channel, name: 'Ada', phone: null },
      channelAccountId: id,
      externalThreadId: person,
      content: 'Where is it?',
      externalId: `${channel}:${person}`,
    });
    await receiveMessage(...message);
  });
  const calls = () =>
    providers.providers.state.apiCalls
      .filter(({ path }) => /message/.test(path))
      .map(({ path, status }) => [path.replace(/^.*\/me\//, ''), status]);
  const arrived = () => [...providerAccount.chats.values()].flatMap(({ messages }) => messages);

  test.each([PNG, PDF])('$name is delivered by a reply without text', async (file) => {
    expect(await replyWithFile(account, file)).toMatchObject({
      content: '',
      send_status: 'sent',
      delivery_error: null,
    });
    expect(calls().toSorted()).toEqual([
      ['message_attachments', 200],
      ['messages', 200],
    ]);
    expect(arrived().at(-1)).toMatchObject({
      direction: 'out',
      text: '',
      // Meta does not accept other characters in names.
      files: [
        {
          type: file.contentType,
          size: file.content.length,
          name: file.name.replace('ö', 'o').replace('ß', ''),
        },
      ],
    });
  });

  test('a file is sent after the text', async () => {
    expect(await replyWithFile(account, PDF, 'Here it is.')).toMatchObject({ send_status: 'sent' });
    expect(arrived().slice(-2)).toMatchObject([
      { text: 'Here it is.', files: [] },
      { files: [{ size: 15 }] },
    ]);
  });

  test('a reply whose file Meta rejects fails, and says how many parts arrived', async () => {
    const before = arrived().length;
    providerAccount.switches.refuseNext = '2018047';
    const failed = await replyWithFile(account, PNG, 'Here it is.');
    expect(failed).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('could not use the file'),
    });
    expect(failed.delivery_error).toContain('1 of its 2 parts arrived.');
    expect(arrived()).toHaveLength(before + 1);
    expect(calls()).toContainEqual(['message_attachments', 400]);
    expect(await replyWithFile(account, PNG)).toMatchObject({ send_status: 'sent' });
  });

  test('a file that is sent with an expired token fails, and its account needs to be connected again', async () => {
    providerAccount.switches.tokenValid = false;
    expect(await replyWithFile(account, PNG)).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('needs to be connected again'),
    });
    providerAccount.switches.tokenValid = true;
  });

  if (channel === 'instagram') {
    test('a file type that Instagram does not accept is never uploaded', async () => {
      const zip = { name: 'all.zip', contentType: 'application/zip', content: 'PK' };
      expect(await replyWithFile(account, zip)).toMatchObject({
        send_status: 'failed',
        delivery_error: 'Instagram does not accept files of this type: “all.zip”.',
      });
      expect(calls()).toEqual([]);
    });
  }
});
