import { nameToEmoji } from 'gemoji';
import { z } from 'zod';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { lookUp } from '#server/inbox/channels/look-up.ts';
import type {
  QuotedAnswer,
  ReceivedContext,
  ReceivedUpdate,
  StoredUpdate,
} from '#server/inbox/channels/received-update.ts';
import { slackClient } from '#server/inbox/channels/slack/slack-client.ts';
import {
  botUserId,
  contentOf,
  filesOf,
  isBot,
  type Message,
  messageShape,
  text,
  ts,
} from '#server/inbox/channels/slack/slack-message.ts';

const eventShape = z.object({
  type: z.string(),
  channel: text,
  channel_type: text,
  /** Users whose tokens were revoked. The service only has that of the bot. */
  tokens: z
    .object({ bot: z.array(z.string()).catch([]) })
    .optional()
    .catch(undefined),
});
/** Event ids are letters and digits. Other values could be too long for the index, or impossible to store. */
const eventId = z
  .string()
  .regex(/^\w{1,100}$/)
  .optional()
  .catch(undefined);
const bodyShape = z.object({ event_id: eventId, event: z.unknown().optional() });

/** Subtypes of Slack's own notices (docs.slack.dev, message event). People write all others, also those of later versions. */
const NOTICES =
  /^(?:assistant_app_|bot_|channel_|conversation_|document_|ekm_|group_|huddle_|joiner_|message_replied|(?:un)?pinned_|reminder_|sh_room_|tombstone)/;

/** Returns the id of an event. Slack repeats an event up to three times without a response (Events API, retries). */
export function slackEventId(body: Buffer): string | undefined {
  return bodyShape.safeParse(JSON.parse(body.toString('utf8'))).data?.event_id;
}

/**
 * Parses an event. A direct message belongs to its conversation. A mention in a channel starts a conversation that is
 * bound to its thread; later messages in the thread join it (`docs/rulings.md` 3.27). Ignores bots.
 */
export async function receiveSlack(
  update: StoredUpdate,
  account: ConnectedAccount,
): Promise<ReceivedUpdate[]> {
  const body = bodyShape.parse(JSON.parse(update.body.toString('utf8')));
  const event = eventShape.safeParse(body.event).data;
  if (!event) return [];
  if (event.type === 'tokens_revoked' && !event.tokens?.bot.includes(botUserId(account))) return [];
  if (event.type === 'tokens_revoked' || event.type === 'app_uninstalled') {
    return [
      { kind: 'disconnected', reason: 'The app was removed in Slack, or its tokens were revoked there.' },
    ];
  }
  if (event.type === 'reaction_added' || event.type === 'reaction_removed')
    return parseReaction(account, body.event);
  if ((event.type !== 'message' && event.type !== 'app_mention') || !event.channel) return [];
  const { channel } = event;
  const parsed = messageShape.safeParse(body.event);
  const subtype = parsed.success
    ? parsed.data.subtype
    : z.object({ subtype: text }).safeParse(body.event).data?.subtype;
  if (subtype === 'message_changed') return parseChange(account, channel, body.event);
  if (subtype === 'message_deleted') return parseDeletion(account, channel, body.event);
  if (!parsed.success || NOTICES.test(subtype ?? '')) return [];
  const { data } = parsed;
  const { user } = data;
  if (!user || isBot(account, data)) return [];
  const thread = threadOf(event.type, { channel, isDirect: event.channel_type === 'im' }, data);
  if (!thread) return [];
  const files = await filesOf(data, account);
  const content = contentOf(data, { account, hasFiles: files.length > 0 });
  // A mention of the bot alone starts a conversation in its channel.
  if (content === '' && files.length === 0 && event.type === 'message') return [];
  return [
    {
      kind: 'message',
      externalId: slackMessageId(account, channel, data.ts),
      ...thread,
      identity: {
        externalId: user,
        scope: account.externalId,
        phone: null,
        ...(await findSlackUser(account, user)),
      },
      content,
      files,
      context: contextOf(
        account,
        { channel, answersRoot: event.channel_type === 'im' || event.type === 'app_mention' },
        data,
      ),
    },
  ];
}

/**
 * Returns the message that a thread begins with, if a message is in a thread. In a conversation that is bound to the thread
 * only mentions have it: the first one may come after messages that were not received here.
 */
function contextOf(
  account: ConnectedAccount,
  { channel, answersRoot }: { channel: string; answersRoot: boolean },
  { ts: own, thread_ts }: Message,
): ReceivedContext {
  if (!answersRoot || thread_ts === undefined || thread_ts === own) return {};
  return {
    answers: slackMessageId(account, channel, thread_ts),
    findAnswered: () => findRoot(account, channel, thread_ts),
  };
}

/** Returns the first message of a thread; null if Slack does not return it, as without access to the channel. */
async function findRoot(
  account: ConnectedAccount,
  channel: string,
  ts: string,
): Promise<QuotedAnswer | null> {
  const found = await lookUp({ accountId: account.id, id: `${channel}:${ts}` }, async (signal) => {
    const client = slackClient(account.credentials.botToken ?? '', signal);
    const { messages = [] } = await client.conversations.replies({ channel, ts, limit: 1 });
    return messages[0] ?? null;
  });
  const root = messageShape.safeParse(found).data;
  if (!root) return null;
  const files = root.files ?? [];
  const content = contentOf(root, { account, hasFiles: files.length > 0 });
  const author = root.user && !root.bot_id ? (await findSlackUser(account, root.user)).name : null;
  return { author, content, files: files.length };
}

const reactionShape = z.object({
  type: z.string(),
  user: z.string(),
  reaction: z.string().max(100),
  item: z.object({ type: z.literal('message'), channel: z.string(), ts }),
});

function parseReaction(account: ConnectedAccount, event: unknown): ReceivedUpdate[] {
  const parsed = reactionShape.safeParse(event);
  if (!parsed.success || parsed.data.user === botUserId(account)) return [];
  const { type, user, reaction, item } = parsed.data;
  const externalId = slackMessageId(account, item.channel, item.ts);
  const emoji = [emojiOf(reaction)];
  const change = type === 'reaction_added' ? { added: emoji, removed: [] } : { added: [], removed: emoji };
  const identity = { externalId: user, scope: account.externalId, name: null, phone: null };
  const findName = async () => (await findSlackUser(account, user)).name;
  return [{ kind: 'reaction', externalId, identity, findName, ...change }];
}

/** Returns the emoji with this name in Slack, without its skin tone; an emoji of the workspace's own as `:name:`. */
function emojiOf(name: string): string {
  const [plain = name] = name.split('::');
  return Object.hasOwn(nameToEmoji, plain) ? (nameToEmoji[plain] ?? '') : `:${plain}:`;
}

/** Returns the external id of a message: channel and timestamp are unique per team. */
export function slackMessageId(
  { externalId: teamId }: Pick<ConnectedAccount, 'externalId'>,
  channel: string,
  ts: string,
): string {
  return `slack:${teamId}:${channel}:${ts}`;
}

/** Returns the id of a thread: the channel for direct messages, else the channel and the thread's timestamp. */
function slackThreadId(channel: string, threadTs?: string): string {
  return threadTs === undefined ? channel : `${channel}:${threadTs}`;
}

function threadOf(
  type: string,
  { channel, isDirect }: { channel: string; isDirect: boolean },
  { ts, thread_ts }: Message,
): { threadId: string; startsConversation: boolean } | undefined {
  if (isDirect) return { threadId: slackThreadId(channel), startsConversation: true };
  if (type === 'app_mention')
    return { threadId: slackThreadId(channel, thread_ts ?? ts), startsConversation: true };
  return thread_ts === undefined
    ? undefined
    : { threadId: slackThreadId(channel, thread_ts), startsConversation: false };
}

function parseDeletion(account: ConnectedAccount, channel: string, event: unknown): ReceivedUpdate[] {
  const parsed = z.object({ ts, deleted_ts: ts }).safeParse(event);
  if (!parsed.success) return [];
  const { ts: deletedAt, deleted_ts } = parsed.data;
  const externalId = slackMessageId(account, channel, deleted_ts);
  return [{ kind: 'edit', externalId, content: null, editedAt: new Date(Number(deletedAt) * 1000) }];
}

function parseChange(account: ConnectedAccount, channel: string, event: unknown): ReceivedUpdate[] {
  const { ts: changedAt, message } = z.object({ ts, message: z.unknown() }).safeParse(event).data ?? {};
  const parsed = messageShape.safeParse(message);
  // A deleted message with replies stays in Slack, without its text.
  if (parsed.data?.subtype === 'tombstone') {
    return parseDeletion(account, channel, { ts: changedAt, deleted_ts: parsed.data.ts });
  }
  // Slack also sends a change for a link preview, without `edited`.
  if (!parsed.success || !parsed.data.edited || !parsed.data.user || isBot(account, parsed.data)) return [];
  return [
    {
      kind: 'edit',
      externalId: slackMessageId(account, channel, parsed.data.ts),
      content: contentOf(parsed.data, { account, hasFiles: (parsed.data.files ?? []).length > 0 }),
      editedAt: new Date(Number(parsed.data.edited.ts) * 1000),
    },
  ];
}

/**
 * A Slack user's profile. Without the scope `users:read.email` there is no address. The address of a user of another
 * workspace (Slack Connect) is only claimed: that workspace controls the profile.
 */
type SlackUser = { name: string | null; email?: string | null; claimedEmail?: string | null };

/** Returns the profile of a Slack user; empty when Slack does not return one. */
async function findSlackUser(
  { id, externalId: teamId, credentials }: ConnectedAccount,
  userId: string,
): Promise<SlackUser> {
  const user = await lookUp({ accountId: id, id: userId }, (signal) =>
    requestUser({ token: credentials.botToken ?? '', teamId }, userId, signal),
  );
  return user ?? { name: null };
}

async function requestUser(
  { token, teamId }: { token: string; teamId: string },
  userId: string,
  signal: AbortSignal,
): Promise<SlackUser> {
  const { user } = await slackClient(token, signal).users.info({ user: userId });
  const profile = user?.profile;
  const isOwn = user?.team_id === teamId && user.is_stranger !== true;
  return {
    name: profile?.real_name || profile?.display_name || user?.real_name || user?.name || null,
    ...(isOwn ? { email: profile?.email ?? null } : { claimedEmail: profile?.email ?? null }),
  };
}
