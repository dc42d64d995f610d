import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { processUpdates } from '#server/inbox/provider-updates/process-updates.ts';
import { connectNew } from '#test/fixtures/channel-service.ts';
import { withSlack } from '#test/fixtures/slack.ts';
import type { ProviderResponse } from '#test/servers/provider-server.ts';

const {
  BOT,
  nextTs,
  webApi,
  service,
  connectTeam,
  eventOf,
  dm,
  mention,
  threadReply,
  call,
  receive,
  messagesOf,
  conversationsOf,
  keptOf,
} = withSlack();

describe('connecting a team', () => {
  test('verifies the token with Slack and stores it encrypted', async () => {
    const { id, team } = await connectTeam();
    const account = await db().channelAccount.findUniqueOrThrow({ where: { id } });
    expect(account).toMatchObject({
      externalId: team,
      name: 'Acme',
      settings: { botUserId: BOT, botId: 'B1' },
    });
    expect(Buffer.from(account.credentials ?? []).includes('xoxb')).toBe(false);
  });

  test.each([
    ['invalid_auth', 'Slack does not accept this bot token. Copy it again'],
    ['fatal_error', 'this bot token: fatal_error'],
  ])('reports a token that Slack rejects with %s under its field', async (error, sentence) => {
    service.provider.respond(() => ({ json: { ok: false, error } }));
    await expect(
      connectNew('slack', { botToken: 'xoxb-1', signingSecret: 'a'.repeat(32) }),
    ).rejects.toMatchObject({
      errors: { botToken: [expect.stringContaining(sentence)] },
    });
  });

  test('reports an invalid signing secret under its field, without calling Slack', async () => {
    await expect(connectNew('slack', { botToken: 'xoxb-1', signingSecret: 'xoxb' })).rejects.toMatchObject({
      errors: { signingSecret: [expect.stringContaining('signing secret')] },
    });
    expect(service.provider.calls).toEqual([]);
  });

  test('answers Slack’s URL verification with the challenge, and stores nothing', async () => {
    const team = await connectTeam();
    const question = { token: 'x', type: 'url_verification', challenge: '3eZbrw1aB10' };
    expect(await call(team, question)).toMatchObject({
      status: 200,
      text: '3eZbrw1aB10',
      type: 'text/plain',
    });
    expect(await keptOf(team)).toBe(0);
  });
});

describe('a Slack user', () => {
  test('who writes to the bot directly becomes a contact with a conversation', async () => {
    const team = await connectTeam();
    await receive(team, dm({ text: 'See &lt;this&gt; <https://acme.test>' }));
    await receive(team, dm({ text: 'Hello?' }));
    expect(await conversationsOf(team)).toMatchObject([
      { channel: 'slack', externalThreadId: 'D1', contact: { firstName: 'Ada', email: 'ada@example.com' } },
    ]);
    expect((await messagesOf(team)).map(({ content }) => content)).toEqual([
      'See <this> https://acme.test',
      'Hello?',
    ]);
  });

  test('who mentions the bot starts a conversation bound to that thread, and other users can join it', async () => {
    const team = await connectTeam();
    const first = mention();
    await receive(team, first);
    await receive(team, threadReply(first.ts, { user: 'UBOB' }));
    await receive(team, threadReply('1600000000.000001'));
    await receive(team, dm({ channel: 'C1', channel_type: 'channel' }));
    const [conversation, ...others] = await conversationsOf(team);
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({ externalThreadId: `C1:${first.ts}`, contact: { firstName: 'Ada' } });
    expect(await messagesOf(team)).toMatchObject([
      { content: 'can you help?', authorName: null },
      { content: 'More', authorName: 'Bob Builder' },
    ]);
    expect(await db().contact.count({ where: { workspaceId: team.workspaceId } })).toBe(2);
  });

  test('is linked to the contact with the same address, unless a visitor only claimed the address', async () => {
    const [known, claimed] = [await connectTeam(), await connectTeam()];
    const ada = { firstName: 'A. L.', email: 'ada@example.com' };
    const contact = await db().contact.create({ data: { workspaceId: known.workspaceId, ...ada } });
    await receive(known, dm());
    expect(await conversationsOf(known)).toMatchObject([{ contactId: contact.id }]);
    const { workspaceId } = claimed;
    const now = new Date();
    const visitor = await db().contact.create({ data: { workspaceId, ...ada, createdAt: now } });
    await db().conversation.create({
      data: { workspaceId, channel: 'webchat', contactId: visitor.id, contactClaimed: true, createdAt: now },
    });
    await receive(claimed, dm());
    const identity = await db().contactIdentity.findFirstOrThrow({
      where: { workspaceId },
      include: { contact: true },
    });
    expect(identity.contact).toMatchObject({ firstName: 'Ada', email: null });
    expect(identity.contactId).not.toBe(visitor.id);
  });

  test('of another Slack workspace is never linked to the contact with the address in the profile', async () => {
    const team = await connectTeam();
    const { workspaceId } = team;
    const victim = await db().contact.create({
      data: { workspaceId, firstName: 'Ada', email: 'ada@example.com' },
    });
    await receive(team, mention({ user: 'UEVE' }));
    const [conversation] = await conversationsOf(team);
    expect(conversation?.contactId).not.toBe(victim.id);
    expect(conversation?.contact).toMatchObject({ firstName: 'Ada', email: null });
  });

  test.each<[string, ProviderResponse]>([
    ['hangs', 'hang'],
    ['fails', { status: 500, json: {} }],
    ['is throttled', { status: 429, headers: { 'retry-after': '30' }, json: { ok: false } }],
    ['is refused', { json: { ok: false, error: 'internal_error' } }],
  ])('who writes while users.info %s is received without a name', async (_what, response) => {
    const team = await connectTeam();
    service.provider.respond((asked) =>
      asked.path === '/api/users.info' ? response : { json: webApi(asked) ?? {} },
    );
    await receive(team, dm({ user: `U${nextTs().replace('.', '')}` }));
    expect(await messagesOf(team)).toMatchObject([{ content: 'Where is my order?' }]);
    expect(await conversationsOf(team)).toMatchObject([{ contact: { firstName: null } }]);
  });

  test('who edits a message updates the thread, and a link preview changes nothing', async () => {
    const team = await connectTeam();
    const first = dm();
    await receive(team, first);
    const changed = (message: object) => ({
      type: 'message',
      subtype: 'message_changed',
      channel: 'D1',
      channel_type: 'im',
      ts: nextTs(),
      message,
    });
    await receive(team, changed({ ...first, text: 'A preview', attachments: [{}] }));
    expect(await messagesOf(team)).toMatchObject([{ content: 'Where is my order?', editedAt: null }]);
    await receive(
      team,
      changed({ ...first, text: 'Where is order 7?', edited: { user: 'UADA', ts: '1700000100.000000' } }),
    );
    expect(await messagesOf(team)).toMatchObject([
      { content: 'Where is order 7?', editedAt: expect.any(Date) },
    ]);
  });

  test('who sends a file has it fetched from Slack with the bot’s token and stored', async () => {
    const team = await connectTeam();
    service.provider.respond((asked) =>
      asked.path === '/files-pri/T-F/bill.pdf'
        ? { bytes: Buffer.from('%PDF-1.4') }
        : { json: webApi(asked) ?? {} },
    );
    const files = [
      {
        id: 'F',
        name: 'bill.pdf',
        mimetype: 'application/pdf',
        url_private_download: `${service.provider.url}/files-pri/T-F/bill.pdf`,
      },
    ];
    await receive(team, dm({ subtype: 'file_share', text: '', files }));
    expect(await messagesOf(team)).toMatchObject([
      { content: '', attachments: [{ name: 'bill.pdf', sizeBytes: 8 }] },
    ]);
    expect(service.provider.calls.at(-1)?.headers.authorization).toBe(`Bearer xoxb-${team.team}-abc`);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'https://files.slack.com.evil.test/bill.pdf',
    'https://evil.test@slack.com/x',
    'file:///etc/passwd',
    '',
  ])('cannot make the service fetch a URL of their choice (%j)', async (url_private_download) => {
    const team = await connectTeam();
    const files = [{ id: 'F', name: 'bill.pdf', mimetype: 'application/pdf', url_private_download }];
    await receive(team, dm({ subtype: 'file_share', files }));
    const [message] = await messagesOf(team);
    expect(message?.content).toContain('[The file “bill.pdf” is missing');
  });

  test.each([
    ['the bot itself', dm({ user: BOT })],
    ['another bot', dm({ bot_id: 'B9' })],
    ['a legacy bot', dm({ subtype: 'bot_message', user: undefined })],
    ['a user who joins', dm({ subtype: 'channel_join' })],
    ['a reaction', { type: 'reaction_added', user: 'UADA', item: {} }],
    ['a deletion', dm({ subtype: 'message_deleted' })],
  ])('%s starts no conversation', async (_who, event) => {
    const team = await connectTeam();
    await receive(team, event);
    expect(await conversationsOf(team)).toEqual([]);
  });
});

describe('a message is received once', () => {
  test('when Slack repeats its event three times, in another order, and ten times in parallel', async () => {
    const team = await connectTeam();
    const events = [eventOf(team, dm()), eventOf(team, dm())];
    const retry = { headers: { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' } };
    for (const event of [...events, ...events.toReversed(), ...events]) await call(team, event, retry);
    const [first] = events;
    const statuses = await Promise.all(Array.from({ length: 10 }, () => call(team, first, retry)));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all([processUpdates(team.id), processUpdates(team.id)]);
    expect(await messagesOf(team)).toHaveLength(2);
  });

  test('when a mention in a thread arrives as two events', async () => {
    const team = await connectTeam();
    const first = mention();
    await receive(team, first);
    const second = mention({ thread_ts: first.ts });
    await receive(team, { ...second, type: 'message', channel_type: 'channel' });
    await receive(team, second);
    expect(await messagesOf(team)).toHaveLength(2);
  });
});

describe('an attacker', () => {
  test('with a signature from another secret, or without one, is refused, and nothing is stored', async () => {
    const team = await connectTeam();
    const other = await connectTeam();
    const event = eventOf(team, dm());
    expect((await call({ id: team.id, signingSecret: other.signingSecret }, event)).status).toBe(401);
    expect((await call(team, event, { signature: '' })).status).toBe(401);
    expect((await call(team, event, { signature: `v0=${'0'.repeat(64)}` })).status).toBe(401);
    expect(await keptOf(team)).toBe(0);
  });

  test('who changes a signed body is refused', async () => {
    const team = await connectTeam();
    const text = JSON.stringify(eventOf(team, dm()));
    const timestamp = Math.floor(Date.now() / 1000);
    const hmac = createHmac('sha256', team.signingSecret).update(`v0:${timestamp}:${text}`).digest('hex');
    const changed = text.replace('order', 'money');
    expect((await call(team, changed, { timestamp, signature: `v0=${hmac}` })).status).toBe(401);
  });

  test.each([-301, 301, Number.NaN])(
    'who replays a request with a timestamp that is %d seconds off is refused',
    async (offset) => {
      const team = await connectTeam();
      const timestamp = Math.floor(Date.now() / 1000) + offset;
      expect((await call(team, eventOf(team, dm()), { timestamp })).status).toBe(401);
      expect(await keptOf(team)).toBe(0);
    },
  );

  test('has a window of five minutes, as Slack’s retries must be accepted after four', async () => {
    const team = await connectTeam();
    const timestamp = Math.floor(Date.now() / 1000) - 240;
    expect((await call(team, eventOf(team, dm()), { timestamp })).status).toBe(200);
  });

  test('gains nothing: an update for another team is ignored, and a signed body that is not JSON is refused', async () => {
    const team = await connectTeam();
    expect((await call(team, eventOf(team, dm(), { team_id: 'TOTHER' }))).status).toBe(200);
    expect((await call(team, 'no json')).status).toBe(400);
    expect(await keptOf(team)).toBe(0);
  });
});

test('removing the app in Slack sets its account to "Needs to be connected again"', async () => {
  const team = await connectTeam();
  await receive(team, { type: 'app_uninstalled' });
  expect(await db().channelAccount.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({
    status: 'reconnect_needed',
  });
  expect(
    await db().notification.count({ where: { workspaceId: team.workspaceId, kind: 'channel_reconnect' } }),
  ).toBe(1);
});
