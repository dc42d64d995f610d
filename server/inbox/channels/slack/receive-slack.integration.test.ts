import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { processUpdates } from '#server/inbox/provider-updates/process-updates.ts';
import {
  BOT,
  connectTeam,
  conversationsOf,
  dm,
  eventOf,
  mention,
  messagesOf,
  nextTs,
  test,
  threadReply,
  webApi,
} from '#test/fixtures/slack-test.ts';
import type { ProviderResponse } from '#test/servers/provider-server.ts';

describe('a Slack user', () => {
  test('who writes to the bot directly becomes a contact with a conversation', async ({ slack }) => {
    const team = await connectTeam();
    await slack.receive(team, dm({ text: 'See &lt;this&gt; <https://acme.test>' }));
    await slack.receive(team, dm({ text: 'Hello?' }));
    expect(await conversationsOf(team)).toMatchObject([
      { channel: 'slack', externalThreadId: 'D1', contact: { firstName: 'Ada', email: 'ada@example.com' } },
    ]);
    expect((await messagesOf(team)).map(({ content }) => content)).toEqual([
      'See <this> https://acme.test',
      'Hello?',
    ]);
  });

  test('who mentions the bot starts a conversation bound to that thread, and other users can join it', async ({
    slack,
  }) => {
    const team = await connectTeam();
    const first = mention();
    await slack.receive(team, first);
    await slack.receive(team, threadReply(first.ts, { user: 'UBOB' }));
    await slack.receive(team, threadReply('1600000000.000001'));
    await slack.receive(team, dm({ channel: 'C1', channel_type: 'channel' }));
    const [conversation, ...others] = await conversationsOf(team);
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({ externalThreadId: `C1:${first.ts}`, contact: { firstName: 'Ada' } });
    expect(await messagesOf(team)).toMatchObject([
      { content: 'can you help?', authorName: null },
      { content: 'More', authorName: 'Bob Builder' },
    ]);
    expect(await db().contact.count({ where: { workspaceId: team.workspaceId } })).toBe(2);
  });

  test('is linked to the contact with the same address, unless a visitor only claimed the address', async ({
    slack,
  }) => {
    const [known, claimed] = [await connectTeam(), await connectTeam()];
    const ada = { firstName: 'A. L.', email: 'ada@example.com' };
    const contact = await db().contact.create({ data: { workspaceId: known.workspaceId, ...ada } });
    await slack.receive(known, dm());
    expect(await conversationsOf(known)).toMatchObject([{ contactId: contact.id }]);
    const { workspaceId } = claimed;
    const visitor = await db().contact.create({
      data: { workspaceId, firstName: 'Ada', claimedEmail: ada.email },
    });
    await db().conversation.create({
      data: { workspaceId, channel: 'webchat', contactId: visitor.id, contactClaimed: true },
    });
    await slack.receive(claimed, dm());
    const identity = await db().contactIdentity.findFirstOrThrow({
      where: { workspaceId },
      include: { contact: true },
    });
    expect(identity.contact).toMatchObject({ firstName: 'Ada', email: 'ada@example.com' });
    expect(identity.contactId).not.toBe(visitor.id);
  });

  test('of another Slack workspace is never linked to the contact with the address in the profile', async ({
    slack,
  }) => {
    const team = await connectTeam();
    const { workspaceId } = team;
    const victim = await db().contact.create({
      data: { workspaceId, firstName: 'Ada', email: 'ada@example.com' },
    });
    await slack.receive(team, mention({ user: 'UEVE' }));
    const [conversation] = await conversationsOf(team);
    expect(conversation?.contactId).not.toBe(victim.id);
    expect(conversation?.contact).toMatchObject({
      firstName: 'Ada',
      email: null,
      claimedEmail: 'ada@example.com',
    });
    expect(conversation).toMatchObject({ contactClaimed: true });
  });

  test.for<[string, ProviderResponse]>([
    ['hangs', 'hang'],
    ['fails', { status: 500, json: {} }],
    ['is throttled', { status: 429, headers: { 'retry-after': '30' }, json: { ok: false } }],
    ['is refused', { json: { ok: false, error: 'internal_error' } }],
  ])(
    'who writes while users.info %s is received without a name',
    async ([_what, response], { provider, slack }) => {
      const team = await connectTeam();
      provider.respond((asked) =>
        asked.path === '/api/users.info' ? response : { json: webApi(asked) ?? {} },
      );
      await slack.receive(team, dm({ user: `U${nextTs().replace('.', '')}` }));
      expect(await messagesOf(team)).toMatchObject([{ content: 'Where is my order?' }]);
      expect(await conversationsOf(team)).toMatchObject([{ contact: { firstName: null } }]);
    },
  );

  test('who edits a message updates the thread, and a link preview changes nothing', async ({ slack }) => {
    const team = await connectTeam();
    const first = dm();
    await slack.receive(team, first);
    const changed = (message: object) => ({
      type: 'message',
      subtype: 'message_changed',
      channel: 'D1',
      channel_type: 'im',
      ts: nextTs(),
      message,
    });
    await slack.receive(team, changed({ ...first, text: 'A preview', attachments: [{}] }));
    expect(await messagesOf(team)).toMatchObject([{ content: 'Where is my order?', editedAt: null }]);
    await slack.receive(
      team,
      changed({ ...first, text: 'Where is order 7?', edited: { user: 'UADA', ts: '1700000100.000000' } }),
    );
    expect(await messagesOf(team)).toMatchObject([
      { content: 'Where is order 7?', editedAt: expect.any(Date) },
    ]);
  });

  test.for<[string, object, string]>([
    [
      'shares a message',
      {
        text: '',
        attachments: [
          { is_share: true, is_msg_unfurl: true, text: 'Order 55 is &lt;b&gt;', author_name: 'Kim' },
        ],
      },
      '[Forwarded from Kim]\nOrder 55 is <b>',
    ],
    [
      'shares a message with words',
      {
        text: 'Look &amp; see',
        attachments: [{ is_share: true, text: 'Late', author_name: 'Kim' }, { text: 'a preview' }],
      },
      'Look & see\n\n[Forwarded from Kim]\nLate',
    ],
    [
      'writes only in blocks',
      {
        text: '',
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'text', text: 'only <in> ' },
                  { type: 'link', url: 'https://a.example', text: 'blocks' },
                ],
              },
              {
                type: 'rich_text_list',
                elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
              },
            ],
          },
        ],
      },
      'only <in> blocks (https://a.example)\none',
    ],
    ['writes with /me', { subtype: 'me_message', text: 'waves' }, 'waves'],
    [
      'sends something of a later version',
      { subtype: 'hologram_share', text: '' },
      '[The contact sent something that cannot be shown here: hologram share.]',
    ],
    ['sends what nobody knows', { text: '' }, '[The contact sent something that cannot be shown here.]'],
  ])('who %s is understood', async ([_what, fields, content], { slack }) => {
    const team = await connectTeam();
    await slack.receive(team, dm(fields));
    expect(await messagesOf(team)).toMatchObject([{ content }]);
  });

  test('who deletes a message has its text removed from the thread', async ({ slack }) => {
    const team = await connectTeam();
    const first = dm({ text: 'My card number is' });
    await slack.receive(team, first);
    const at = { type: 'message', channel: 'D1', channel_type: 'im', ts: nextTs() };
    const deleted = { subtype: 'message_deleted', deleted_ts: first.ts, previous_message: first };
    await slack.receive(team, { ...at, ...deleted });
    expect(await messagesOf(team)).toMatchObject([
      { content: '[The contact deleted this message.]', editedAt: expect.any(Date) },
    ]);
  });

  test('who deletes a message with replies has its text removed too: Slack reports that as a change', async ({
    slack,
  }) => {
    const team = await connectTeam();
    const first = mention();
    await slack.receive(team, first);
    const at = { type: 'message', channel: 'C1', channel_type: 'channel', hidden: true };
    const tombstone = { subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.' };
    const message = { type: 'message', ...tombstone, hidden: true, ts: first.ts, thread_ts: first.ts };
    await slack.receive(team, { ...at, subtype: 'message_changed', ts: nextTs(), message });
    expect(await messagesOf(team)).toMatchObject([{ content: '[The contact deleted this message.]' }]);
  });

  test('who sends a file has it fetched from Slack with the bot’s token and stored', async ({
    provider,
    slack,
  }) => {
    const team = await connectTeam();
    provider.respond((asked) =>
      asked.path === '/files-pri/T-F/bill.pdf'
        ? { bytes: Buffer.from('%PDF-1.4') }
        : { json: webApi(asked) ?? {} },
    );
    const files = [
      {
        id: 'F',
        name: 'bill.pdf',
        mimetype: 'application/pdf',
        url_private_download: `${provider.url}/files-pri/T-F/bill.pdf`,
      },
    ];
    await slack.receive(team, dm({ subtype: 'file_share', text: '', files }));
    expect(await messagesOf(team)).toMatchObject([
      { content: '', attachments: [{ name: 'bill.pdf', sizeBytes: 8 }] },
    ]);
    expect(provider.calls.at(-1)?.headers.authorization).toBe(`Bearer xoxb-${team.team}-abc`);
  });

  test.for([
    'http://169.254.169.254/latest/meta-data',
    'https://files.slack.com.evil.test/bill.pdf',
    'https://evil.test@slack.com/x',
    'file:///etc/passwd',
    '',
  ])('cannot make the service fetch a URL of their choice (%j)', async (url_private_download, { slack }) => {
    const team = await connectTeam();
    const files = [{ id: 'F', name: 'bill.pdf', mimetype: 'application/pdf', url_private_download }];
    await slack.receive(team, dm({ subtype: 'file_share', files }));
    const [message] = await messagesOf(team);
    expect(message?.content).toContain('[The file “bill.pdf” is missing');
  });

  test.for([
    ['the bot itself', dm({ user: BOT })],
    ['another bot', dm({ bot_id: 'B9' })],
    ['a legacy bot', dm({ subtype: 'bot_message', user: undefined })],
    ['a user who joins', dm({ subtype: 'channel_join' })],
    ['a pinned message', dm({ subtype: 'pinned_item' })],
    ['a call', dm({ subtype: 'huddle_thread', user: 'USLACKBOT' })],
    ['a reaction', { type: 'reaction_added', user: 'UADA', item: {} }],
    ['a deletion', dm({ subtype: 'message_deleted' })],
  ] as const)('%s starts no conversation', async ([_who, event], { slack }) => {
    const team = await connectTeam();
    await slack.receive(team, event);
    expect(await conversationsOf(team)).toEqual([]);
  });
});

describe('a message is received once', () => {
  test('when Slack repeats its event three times, in another order, and ten times in parallel', async ({
    slack,
  }) => {
    const team = await connectTeam();
    const events = [eventOf(team, dm()), eventOf(team, dm())];
    const retry = { headers: { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' } };
    for (const event of [...events, ...events.toReversed(), ...events]) await slack.call(team, event, retry);
    const [first] = events;
    const statuses = await Promise.all(Array.from({ length: 10 }, () => slack.call(team, first, retry)));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all([processUpdates(team.id), processUpdates(team.id)]);
    expect(await messagesOf(team)).toHaveLength(2);
  });

  test('when a mention in a thread arrives as two events', async ({ slack }) => {
    const team = await connectTeam();
    const first = mention();
    await slack.receive(team, first);
    const second = mention({ thread_ts: first.ts });
    await slack.receive(team, { ...second, type: 'message', channel_type: 'channel' });
    await slack.receive(team, second);
    expect(await messagesOf(team)).toHaveLength(2);
  });
});
