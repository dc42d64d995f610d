import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { processUpdates, retryUpdate } from '#server/inbox/provider-updates/process-updates.ts';
import { reactionsIn } from '#test/fixtures/reactions-in.ts';
import {
  BOT,
  connectTeam,
  countUpdates,
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

describe('a reply in a thread', () => {
  const quietly = { isAboutStory: false, isForwarded: false, ad: null };

  test('is stored with the message that the thread begins with', async ({ slack }) => {
    const team = await connectTeam();
    const root = dm();
    await slack.receive(team, root);
    await slack.receive(team, dm({ thread_ts: root.ts }));
    await slack.receive(team, dm({ thread_ts: root.ts, subtype: 'thread_broadcast' }));
    const [first, ...replies] = await messagesOf(team);
    expect(first?.context).toBeNull();
    const context = { answersId: first?.id, ...quietly };
    expect(replies.map((reply) => reply.context)).toEqual([context, context]);
  });

  test('that mentions the bot shows the first message, which Slack is asked for', async ({
    provider,
    slack,
  }) => {
    const [root, lost] = [nextTs(), nextTs()];
    provider.respond((asked) => {
      if (asked.path !== '/api/conversations.replies') return { json: webApi(asked) ?? {} };
      if (asked.body.ts === lost) return { json: { ok: false, error: 'not_in_channel' } };
      const text = `The &lt;printer&gt;\n${'burns '.repeat(100)}`;
      return { json: { ok: true, messages: [{ type: 'message', user: 'UBOB', ts: root, text }] } };
    });
    const team = await connectTeam();
    for (const thread_ts of [root, lost]) await slack.receive(team, mention({ thread_ts }));
    await slack.receive(team, threadReply(root));
    const messages = await messagesOf(team);
    const content = `The <printer> ${'burns '.repeat(100)}`.slice(0, 200);
    expect(messages.map((message) => message.context)).toEqual([
      { answersId: null, quoted: { author: 'Bob Builder', content, files: 0 }, ...quietly },
      null,
      null,
    ]);
    expect(messages[0]?.content).toBe('can you help?');
  });

  test('is received too if it arrives while the mention waits for a file', async ({ provider, slack }) => {
    const team = await connectTeam();
    let file: ProviderResponse = { status: 503 };
    provider.respond((asked) =>
      asked.path.startsWith('/files-pri/') ? file : { json: webApi(asked) ?? {} },
    );
    const first = mention({ files: [{ name: 'a.png', url_private: `${provider.url}/files-pri/a.png` }] });
    await slack.receive(team, first);
    await slack.receive(team, threadReply(first.ts));
    file = { bytes: Buffer.from('89504e470d0a1a0a', 'hex') };
    const where = { accountId: team.id, processedAt: null };
    const waiting = await db().inboundUpdate.findMany({ where, orderBy: { receivedAt: 'asc' } });
    for (const { id } of waiting) await retryUpdate(id);
    expect((await messagesOf(team)).map(({ content }) => content)).toEqual(['can you help?', 'More']);
    expect(await db().inboundUpdate.count({ where })).toBe(0);
  });
});

describe('an attacker', () => {
  test('with a signature from another secret, or without one, is refused, and nothing is stored', async ({
    slack,
  }) => {
    const team = await connectTeam();
    const other = await connectTeam();
    const event = eventOf(team, dm());
    expect((await slack.call({ id: team.id, signingSecret: other.signingSecret }, event)).status).toBe(401);
    expect((await slack.call(team, event, { signature: '' })).status).toBe(401);
    expect((await slack.call(team, event, { signature: `v0=${'0'.repeat(64)}` })).status).toBe(401);
    expect(await countUpdates(team)).toBe(0);
  });

  test('who changes a signed body is refused', async ({ slack }) => {
    const team = await connectTeam();
    const text = JSON.stringify(eventOf(team, dm()));
    const timestamp = Math.floor(Date.now() / 1000);
    const hmac = createHmac('sha256', team.signingSecret).update(`v0:${timestamp}:${text}`).digest('hex');
    const changed = text.replace('order', 'money');
    expect((await slack.call(team, changed, { timestamp, signature: `v0=${hmac}` })).status).toBe(401);
  });

  // A timestamp in the future comes closer while the request waits.
  test.for([-301, 600, Number.NaN])(
    'who replays a request with a timestamp that is %d seconds off is refused',
    async (offset, { slack }) => {
      const team = await connectTeam();
      const timestamp = Math.floor(Date.now() / 1000) + offset;
      expect((await slack.call(team, eventOf(team, dm()), { timestamp })).status).toBe(401);
      expect(await countUpdates(team)).toBe(0);
    },
  );

  test('has a window of five minutes, as Slack’s retries must be accepted after four', async ({ slack }) => {
    const team = await connectTeam();
    const timestamp = Math.floor(Date.now() / 1000) - 240;
    expect((await slack.call(team, eventOf(team, dm()), { timestamp })).status).toBe(200);
  });

  test('gains nothing: an update for another team is ignored, and a signed body that is not JSON is refused', async ({
    slack,
  }) => {
    const team = await connectTeam();
    expect((await slack.call(team, eventOf(team, dm(), { team_id: 'TOTHER' }))).status).toBe(200);
    expect((await slack.call(team, 'no json')).status).toBe(400);
    expect(await countUpdates(team)).toBe(0);
  });
});

test('a mention in a channel that another workspace shares is received', async ({ slack }) => {
  const team = await connectTeam();
  const authorizations = [{ enterprise_id: null, team_id: team.team, user_id: BOT, is_bot: true }];
  const update = eventOf(team, mention({ user: 'UEVE' }), { team_id: 'TOTHER', authorizations });
  expect((await slack.call(team, update)).status).toBe(200);
  await processUpdates(team.id);
  expect(await messagesOf(team)).toMatchObject([{ content: 'can you help?' }]);
});

test.for([
  ['removing the app', { type: 'app_uninstalled' }],
  ['revoking the bot’s token', { type: 'tokens_revoked', tokens: { bot: [BOT] } }],
] as const)(
  '%s in Slack sets its account to "Needs to be connected again", but not revoking a user’s token',
  async ([, event], { slack }) => {
    const team = await connectTeam();
    const { id, workspaceId } = team;
    const status = async () => (await db().channelAccount.findUniqueOrThrow({ where: { id } })).status;
    await slack.receive(team, { type: 'tokens_revoked', tokens: { oauth: ['UADA'] } });
    expect(await status()).toBe('connected');
    await slack.receive(team, event);
    expect(await status()).toBe('reconnect_needed');
    expect(await db().notification.count({ where: { workspaceId, kind: 'channel_reconnect' } })).toBe(1);
  },
);

test('reactions are shown at their message by their emoji, or by the name of an emoji of the workspace', async ({
  slack,
}) => {
  const team = await connectTeam();
  const message = dm();
  await slack.receive(team, message);
  const react = (type: string, reaction: string) =>
    slack.receive(team, {
      type,
      user: 'UADA',
      reaction,
      item: { type: 'message', channel: 'D1', ts: message.ts },
    });
  for (const name of ['+1::skin-tone-3', 'raised_hands', 'our_logo']) await react('reaction_added', name);
  await react('reaction_removed', 'raised_hands');
  expect(await reactionsIn(team)).toEqual(['Ada Lovelace 👍', 'Ada Lovelace :our_logo:']);
  expect(await messagesOf(team)).toHaveLength(1);
});
