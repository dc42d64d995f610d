import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '#server/core/log.ts';
import { ProviderFault } from '#server/core/provider-request.ts';
import { notConnectedSentence } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { OutgoingFile, OutgoingMessage, SendOutcome } from '#server/inbox/channels/channel-adapter.ts';
import {
  faultOutcome,
  reconnectSentence,
  throttledSentence,
} from '#server/inbox/channels/sending/provider-sentences.ts';
import {
  type PartOutcome,
  readFully,
  type SendPart,
  sendParts,
} from '#server/inbox/channels/sending/send-parts.ts';
import { splitText } from '#server/inbox/channels/sending/split-text.ts';
import { slackMessageId } from '#server/inbox/channels/slack/receive-slack.ts';
import {
  isTokenError,
  type SlackRefusal,
  slackClient,
  slackRefusalOf,
  writeSlackText,
} from '#server/inbox/channels/slack/slack-client.ts';

/** Slack truncates texts at 40,000 characters (chat.postMessage). Escaping can turn one character into five. */
const TEXT_MAX_LENGTH = 8_000;
/** Maximum file size, in bytes: an upload must finish within the ten seconds of a reply. */
const FILE_MAX_BYTES = 50 * 1024 * 1024;
/** Maximum `Retry-After` that a reply waits for, in seconds. */
const PAUSE_MAX_SECONDS = 6;

/** Errors for too many calls, or too many messages of the app or of its Slack workspace (chat.postMessage). */
const THROTTLE_ERRORS = ['ratelimited', 'rate_limited', 'message_limit_exceeded'];

const NO_ADDRESS = 'There is no address to send this to in Slack.';

const THREAD_DELETED = 'The thread in Slack was deleted.';
const POSTED_IN_CHANNEL =
  'The thread in Slack was deleted, so Slack posted the message in the channel, where everyone can read it. Ask an admin of that Slack workspace to delete it there.';

/** Explanations of Slack's errors for the author of the reply. Other errors are shown by their name. */
const SENTENCES: Record<string, string> = {
  channel_not_found: 'The bot is no longer in this Slack channel. Invite it and send the message again.',
  not_in_channel: 'The bot is no longer in this Slack channel. Invite it and send the message again.',
  is_archived: 'This Slack channel is archived, so nothing can be written there.',
  thread_not_found: THREAD_DELETED,
  user_disabled: 'The contact’s Slack account is deactivated, so the message did not reach them.',
  cannot_dm_bot: 'The contact is a bot, which cannot receive direct messages.',
  messages_tab_disabled: 'The app does not accept messages in Slack. Turn on its messages tab in App Home.',
  msg_too_long: 'Slack rejected the message because it is too long.',
  missing_scope:
    'The bot lacks a permission in Slack. Add the scopes from the guide, and install the app again.',
  restricted_action: 'Slack does not let the bot write there: an admin of that workspace has restricted it.',
  file_uploads_disabled: 'Files are turned off in this Slack workspace.',
};

/** Sends a message into a direct conversation or a thread: the text, then the files. */
export async function sendSlack(message: OutgoingMessage): Promise<SendOutcome> {
  const { account, conversation, content, attachments } = message;
  if (!account) return { status: 'failed', reason: notConnectedSentence('slack') };
  if (conversation.externalThreadId === null) return { status: 'failed', reason: NO_ADDRESS };
  const [channel = '', thread] = conversation.externalThreadId.split(':');
  const token = account.credentials.botToken ?? '';
  const target = { token, channel, thread, idOf: (ts: string) => slackMessageId(account, channel, ts) };
  const texts = content.trim() === '' ? [] : splitText(content, TEXT_MAX_LENGTH);
  const parts = [
    ...texts.map((text) => postText(target, text)),
    ...attachments.map((file) => uploadFile(target, file)),
  ];
  return sendParts(parts, message);
}

type Target = { token: string; channel: string; thread: string | undefined; idOf: (ts: string) => string };

function postText({ token, channel, thread, idOf }: Target, text: string): SendPart {
  return (signal) =>
    withOutcome(signal, async () => {
      const { chat } = slackClient(token, signal);
      const { ts, message } = await chat.postMessage({
        channel,
        text: writeSlackText(text),
        ...(thread === undefined ? {} : { thread_ts: thread }),
      });
      if (!ts) throw new ProviderFault('unclear', 'Slack posted a message without its timestamp.');
      if (thread !== undefined && message?.ts !== undefined && message.thread_ts === undefined) {
        // Without the first message of the thread, Slack posts into the channel, for all to see.
        const reason = await chat.delete({ channel, ts }).then(
          () => THREAD_DELETED,
          (error: unknown) => {
            log().warn({ err: error }, 'message.not_deleted');
            return POSTED_IN_CHANNEL;
          },
        );
        return { reason };
      }
      return { sent: idOf(ts) };
    });
}

function uploadFile(target: Target, file: OutgoingFile): SendPart {
  const { token, channel, thread, idOf } = target;
  if (file.sizeBytes > FILE_MAX_BYTES) {
    return async () => ({
      reason: `Slack accepts files up to 50 MB, and “${file.name}” is larger.`,
    });
  }
  return (signal) =>
    withOutcome(signal, async () => {
      if (await isThreadDeleted(target, signal)) return { reason: THREAD_DELETED };
      const upload = { file: await readFully(file), filename: file.name };
      await slackClient(token, signal).files.uploadV2(
        thread === undefined
          ? { channel_id: channel, ...upload }
          : { channel_id: channel, thread_ts: thread, ...upload },
      );
      // Slack shares a file asynchronously and returns no timestamp for it.
      return { sent: idOf(`file-${file.id}`) };
    });
}

/**
 * Returns true when Slack no longer has the thread, so that it could share a file into the channel. False when Slack does not
 * let the bot read the thread.
 */
async function isThreadDeleted({ token, channel, thread }: Target, signal: AbortSignal): Promise<boolean> {
  if (thread === undefined) return false;
  try {
    await slackClient(token, signal).conversations.replies({ channel, ts: thread, limit: 1 });
    return false;
  } catch (error) {
    return slackRefusalOf(error).error === 'thread_not_found';
  }
}

/** Retries once after a short `Retry-After`. */
async function withOutcome(signal: AbortSignal, send: () => Promise<PartOutcome>): Promise<PartOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const refusal = refusalOrFault(error);
      if ('reason' in refusal) return refusal;
      const { error: name, retryAfterSeconds: pause } = refusal;
      if (pause === null || pause > PAUSE_MAX_SECONDS || attempt > 1) return outcomeOf(name);
      await sleep(pause * 1000, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return outcomeOf(name);
    }
  }
}

function refusalOrFault(error: unknown): SlackRefusal | { reason: string } {
  try {
    if (error instanceof ProviderFault) throw error;
    return slackRefusalOf(error);
  } catch (fault) {
    const outcome = faultOutcome('slack', fault);
    if ('reason' in outcome) return outcome;
    throw fault;
  }
}

function outcomeOf(name: string): PartOutcome {
  if (isTokenError(name)) return { reason: reconnectSentence('slack'), reconnect: true };
  if (THROTTLE_ERRORS.includes(name)) return { reason: throttledSentence('slack') };
  return { reason: SENTENCES[name] ?? `Slack did not accept the message: ${name.slice(0, 100)}` };
}
