import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';
import { ProviderFault } from '#server/core/provider-request.ts';
import { sameSecret } from '#server/core/secrets.ts';
import { accountChannelStatus } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type {
  ChannelAdapter,
  ConnectedAccount,
  ConnectResult,
} from '#server/inbox/channels/channel-adapter.ts';
import {
  digestOfBody,
  type WebhookRequest,
  type WebhookVerdict,
} from '#server/inbox/channels/received-update.ts';
import { reconnectSentence } from '#server/inbox/channels/sending/provider-sentences.ts';
import { receiveSlack, slackEventId } from '#server/inbox/channels/slack/receive-slack.ts';
import { sendSlack } from '#server/inbox/channels/slack/send-slack.ts';
import {
  isTokenError,
  type SlackRefusal,
  slackClient,
  slackRefusalOf,
} from '#server/inbox/channels/slack/slack-client.ts';

const SECRET_FORM = /^[0-9a-f]{16,128}$/i;
const WRONG_SECRET =
  'A signing secret contains only the digits 0 to 9 and the letters a to f. Copy it again from Basic Information.';

const UNREACHABLE = 'Slack could not be reached to check the bot token. Try again later.';

const WRONG_TOKEN =
  'Slack does not accept this bot token. Copy it again from OAuth & Permissions. It starts with xoxb-.';

/** Maximum clock difference of a request, in seconds. Requests beyond it count as replayed. */
const REPLAY_WINDOW_SECONDS = 300;

const bodyShape = z.object({
  type: z.string(),
  challenge: z.string().optional(),
  team_id: z.string().optional(),
  authorizations: z
    .array(z.object({ team_id: z.string().nullable().catch(null) }))
    .optional()
    .catch(undefined),
});

/** Slack through its Events API and Web API: direct messages to a bot, and mentions of the bot in channels. */
export const slackChannel: ChannelAdapter = {
  ...accountChannelStatus('slack'),
  send: sendSlack,
  accounts: {
    fields: [
      {
        name: 'botToken',
        label: 'Bot token',
        hint: 'In your Slack app under OAuth & Permissions, after it is installed. It starts with xoxb-.',
        secret: true,
      },
      {
        name: 'signingSecret',
        label: 'Signing secret',
        hint: 'In your Slack app under Basic Information.',
        secret: true,
      },
    ],
    showsVerifyToken: false,
    steps: [
      'Create an app at api.slack.com/apps, give its bot the scopes app_mentions:read, channels:history, chat:write, files:read, files:write, groups:history, im:history, reactions:read and users:read, and install it.',
      'Enter its values below.',
    ],
    webhookStep:
      'Enter the address under Event Subscriptions, and subscribe the bot to app_mention, message.channels, message.groups, message.im, reaction_added and reaction_removed.',
    connect: connectSlack,
    test: testSlack,
    webhook: {
      verify: verifySlack,
      updateId: (body) => slackEventId(body) ?? digestOfBody(body),
      storedHeaders: ['x-slack-retry-num', 'x-slack-retry-reason'],
      receive: receiveSlack,
    },
  },
};

/**
 * Verifies Slack's signature: an HMAC-SHA256 of version, timestamp and body with the signing secret (docs.slack.dev,
 * verifying requests from Slack). Responds to Slack's URL verification with the challenge, and to updates for another
 * team with an empty `200`.
 */
function verifySlack(
  { method, headers, rawBody }: WebhookRequest,
  account: ConnectedAccount,
  now = Date.now(),
): WebhookVerdict {
  const timestamp = headers['x-slack-request-timestamp'] ?? '';
  const signature = headers['x-slack-signature'] ?? '';
  const ageSeconds = Math.abs(now / 1000 - Number(timestamp));
  if (method !== 'POST' || !/^\d{1,12}$/.test(timestamp) || ageSeconds > REPLAY_WINDOW_SECONDS) {
    return { kind: 'bad_signature' };
  }
  const secret = account.credentials.signingSecret ?? '';
  const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(rawBody).digest('hex');
  if (secret === '' || !sameSecret(signature, `v0=${hmac}`)) return { kind: 'bad_signature' };
  const body = bodyOf(rawBody);
  if (body?.type === 'url_verification') {
    return { kind: 'reply', status: 200, contentType: 'text/plain', body: body.challenge ?? '' };
  }
  const teams = body ? teamsOf(body) : [];
  return teams.length > 0 && !teams.includes(account.externalId)
    ? { kind: 'reply', status: 200, contentType: 'text/plain', body: '' }
    : { kind: 'accepted' };
}

/**
 * Returns the teams that an update is for: where it happened, and where the app is installed. They differ in a channel that
 * another team shares (docs.slack.dev, Slack Connect).
 */
function teamsOf({ team_id, authorizations = [] }: z.infer<typeof bodyShape>): string[] {
  return [team_id, ...authorizations.map((each) => each.team_id)].filter((id) => typeof id === 'string');
}

function bodyOf(rawBody: Buffer): z.infer<typeof bodyShape> | undefined {
  try {
    return bodyShape.safeParse(JSON.parse(rawBody.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Verifies the bot token with Slack. Throws a Refusal that names the wrong field. */
async function connectSlack(fields: Record<string, string>): Promise<ConnectResult> {
  const { botToken = '', signingSecret = '' } = fields;
  if (!SECRET_FORM.test(signingSecret)) throw invalid({ signingSecret: [WRONG_SECRET] });
  const bot = await authenticateBot(botToken);
  if ('fault' in bot) throw invalid({ botToken: [UNREACHABLE] });
  if ('error' in bot) {
    const isWrong = isTokenError(bot.error);
    throw invalid({
      botToken: [isWrong ? WRONG_TOKEN : `Slack does not accept this bot token: ${bot.error}`],
    });
  }
  return {
    externalId: bot.teamId,
    name: bot.team,
    credentials: { botToken, signingSecret },
    settings: { botUserId: bot.userId, botId: bot.botId },
  };
}

/** Returns null when Slack accepts the token, else the problem. */
async function testSlack({
  credentials,
}: ConnectedAccount): Promise<{ reason: string; reconnect: boolean } | null> {
  const bot = await authenticateBot(credentials.botToken ?? '');
  if ('fault' in bot) return { reason: 'Slack could not be reached.', reconnect: false };
  if (!('error' in bot)) return null;
  if (isTokenError(bot.error)) return { reason: reconnectSentence('slack'), reconnect: true };
  return { reason: `Slack says: ${bot.error}`, reconnect: false };
}

type Bot = { teamId: string; team: string; userId: string; botId: string };

async function authenticateBot(token: string): Promise<Bot | SlackRefusal | { fault: true }> {
  try {
    const { team_id, team, user_id, bot_id } = await slackClient(token).auth.test();
    // A user token has no bot: its messages would appear as the user's own.
    if (!team_id || !user_id || !bot_id) return { error: 'not_a_bot_token', retryAfterSeconds: null };
    return { teamId: team_id, team: team ?? team_id, userId: user_id, botId: bot_id };
  } catch (error) {
    try {
      return slackRefusalOf(error);
    } catch (fault) {
      if (fault instanceof ProviderFault) return { fault: true };
      throw fault;
    }
  }
}
