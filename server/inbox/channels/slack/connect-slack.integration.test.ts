import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { connectNew } from '#test/fixtures/connect-new.ts';
import { BOT, connectTeam, countUpdates, test } from '#test/fixtures/slack-test.ts';

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

  test.for([
    ['invalid_auth', 'Slack does not accept this bot token. Copy it again'],
    ['fatal_error', 'this bot token: fatal_error'],
  ] as const)(
    'reports a token that Slack rejects with %s under its field',
    async ([error, sentence], { provider }) => {
      provider.respond(() => ({ json: { ok: false, error } }));
      await expect(
        connectNew('slack', { botToken: 'xoxb-1', signingSecret: 'a'.repeat(32) }),
      ).rejects.toMatchObject({
        errors: { botToken: [expect.stringContaining(sentence)] },
      });
    },
  );

  test('reports an invalid signing secret under its field, without calling Slack', async ({ provider }) => {
    await expect(connectNew('slack', { botToken: 'xoxb-1', signingSecret: 'xoxb' })).rejects.toMatchObject({
      errors: { signingSecret: [expect.stringContaining('signing secret')] },
    });
    expect(provider.calls).toEqual([]);
  });

  test('answers Slack’s URL verification with the challenge, and stores nothing', async ({ slack }) => {
    const team = await connectTeam();
    const question = { token: 'x', type: 'url_verification', challenge: '3eZbrw1aB10' };
    expect(await slack.call(team, question)).toMatchObject({
      status: 200,
      text: '3eZbrw1aB10',
      type: 'text/plain',
    });
    expect(await countUpdates(team)).toBe(0);
  });
});
