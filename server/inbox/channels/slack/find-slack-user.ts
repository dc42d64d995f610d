import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { slackClient, slackRefusalOf } from '#server/inbox/channels/slack/slack-client.ts';

/** What Slack says of a person. The address only where the bot may see it (`users:read.email`). */
export type SlackUser = { name: string | null; email: string | null };

/** So many people are remembered, each for so long, in milliseconds: Slack limits how often it is asked. */
const REMEMBERED_MAX = 1_000;
const REMEMBERED_MS = 600_000;

const shared = globalThis as typeof globalThis & {
  serviceSlackUsers?: Map<string, { user: SlackUser; until: number }>;
};

/**
 * Who somebody is in Slack. What Slack does not return is null; while it is throttling us or away, this throws, and the message
 * is taken in later.
 * @throws ProviderFault, or Error when Slack takes no more calls
 */
export async function findSlackUser(
  { id, credentials }: ConnectedAccount,
  userId: string,
): Promise<SlackUser> {
  shared.serviceSlackUsers ??= new Map();
  const users = shared.serviceSlackUsers;
  const key = `${id}:${userId}`;
  const known = users.get(key);
  if (known && known.until > Date.now()) return known.user;
  const user = await askForUser(credentials.botToken ?? '', userId);
  users.delete(key);
  users.set(key, { user, until: Date.now() + REMEMBERED_MS });
  const [oldest] = users.keys();
  if (users.size > REMEMBERED_MAX && oldest !== undefined) users.delete(oldest);
  return user;
}

async function askForUser(token: string, userId: string): Promise<SlackUser> {
  try {
    const { user } = await slackClient(token).users.info({ user: userId });
    const profile = user?.profile;
    return {
      name: profile?.real_name || profile?.display_name || user?.real_name || user?.name || null,
      email: profile?.email ?? null,
    };
  } catch (error) {
    const { error: name, retryAfterSeconds } = slackRefusalOf(error);
    if (retryAfterSeconds !== null) throw new Error('Slack takes no more calls at the moment.');
    if (name === 'internal_error' || name === 'service_unavailable') throw new Error(`Slack says: ${name}`);
    return { name: null, email: null };
  }
}
