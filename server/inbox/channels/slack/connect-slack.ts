import { invalid } from '#server/core/errors.ts';
import { providerFaultIn } from '#server/core/provider-request.ts';
import type { ConnectedAccount, ConnectResult } from '#server/inbox/channels/channel-adapter.ts';
import { reconnectSentence } from '#server/inbox/channels/sending/provider-sentences.ts';
import {
  isTokenError,
  type SlackRefusal,
  slackClient,
  slackRefusalOf,
} from '#server/inbox/channels/slack/slack-client.ts';

const WRONG =
  'Slack does not accept this bot token. Copy it again from OAuth & Permissions; it begins with xoxb-.';
const AWAY = 'Slack could not be reached to check the bot token. Try again later.';
const SECRET_FORM = /^[0-9a-f]{16,128}$/i;
const WRONG_SECRET =
  'A signing secret has only the digits 0 to 9 and the letters a to f. Copy it again from Basic Information.';

/** Asks Slack whose token it is. Throws a Refusal under the field that is wrong. */
export async function connectSlack(fields: Record<string, string>): Promise<ConnectResult> {
  const { botToken = '', signingSecret = '' } = fields;
  if (!SECRET_FORM.test(signingSecret)) throw invalid({ signingSecret: [WRONG_SECRET] });
  const bot = await whoIs(botToken);
  if ('fault' in bot) throw invalid({ botToken: [AWAY] });
  if ('error' in bot) {
    const isWrong = isTokenError(bot.error);
    throw invalid({
      botToken: [isWrong ? WRONG : `Slack does not accept this bot token. It says: ${bot.error}`],
    });
  }
  return {
    externalId: bot.teamId,
    name: bot.team,
    credentials: { botToken, signingSecret },
    settings: { botUserId: bot.userId, botId: bot.botId },
  };
}

/** Whether the token is taken. */
export async function testSlack({
  credentials,
}: ConnectedAccount): Promise<{ reason: string; reconnect: boolean } | null> {
  const bot = await whoIs(credentials.botToken ?? '');
  if ('fault' in bot) return { reason: 'Slack could not be reached.', reconnect: false };
  if (!('error' in bot)) return null;
  if (isTokenError(bot.error)) return { reason: reconnectSentence('slack'), reconnect: true };
  return { reason: `Slack says: ${bot.error}`, reconnect: false };
}

type Bot = { teamId: string; team: string; userId: string; botId: string };

async function whoIs(token: string): Promise<Bot | SlackRefusal | { fault: true }> {
  try {
    const { team_id, team, user_id, bot_id } = await slackClient(token).auth.test();
    // A person's token has no bot: what it posts would be theirs.
    if (!team_id || !user_id || !bot_id) return { error: 'not_a_bot_token', retryAfterSeconds: null };
    return { teamId: team_id, team: team ?? team_id, userId: user_id, botId: bot_id };
  } catch (error) {
    try {
      return slackRefusalOf(error);
    } catch (fault) {
      if (providerFaultIn(fault)) return { fault: true };
      throw fault;
    }
  }
}
