import { z } from 'zod';
import { fetchFromProvider, ProviderFault } from '#server/core/provider-request.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { forwardedContent, unsupportedContent } from '#server/inbox/channels/content-of-message.ts';
import { lookUp } from '#server/inbox/channels/look-up.ts';
import type { ReceivedFile } from '#server/inbox/channels/received-update.ts';
import { blocksText } from '#server/inbox/channels/slack/blocks-text.ts';
import {
  isSlackAddress,
  parseSlackText,
  slackClient,
  slackRefusalOf,
} from '#server/inbox/channels/slack/slack-client.ts';

/** Maximum size of a fetched file, in bytes. */
const FILE_MAX_BYTES = 50 * 1024 * 1024;
const MISSING_TYPE = 'application/octet-stream';
/** Refusals after which a later call may succeed (docs.slack.dev, errors of every method). */
const TEMPORARY_ERRORS = [
  'ratelimited',
  'internal_error',
  'fatal_error',
  'request_timeout',
  'service_unavailable',
];

export const text = z.string().optional().catch(undefined);

/** A Slack timestamp in seconds since the epoch, which is also the id of a message in its channel. */
export const ts = z.string().regex(/^\d{1,12}\.\d{1,9}$/);

const fileShape = z.object({
  id: text,
  name: text,
  mimetype: text,
  url_private_download: text,
  url_private: text,
});

type SlackFile = z.infer<typeof fileShape>;

/** A message that the user shares, or a preview that Slack adds for a link. */
const sharedShape = z.object({
  is_share: z.boolean().optional().catch(undefined),
  author_name: text,
  text,
  fallback: text,
  files: z.array(fileShape).optional().catch(undefined),
  message_blocks: z.unknown().optional(),
});

export const messageShape = z.object({
  ts,
  thread_ts: text,
  user: text,
  bot_id: text,
  text,
  subtype: text,
  files: z.array(fileShape).optional().catch(undefined),
  attachments: z.array(sharedShape).optional().catch(undefined),
  blocks: z.unknown().optional(),
  edited: z.object({ ts }).optional().catch(undefined),
});

export type Message = z.infer<typeof messageShape>;

/**
 * Returns the text of a message with the messages that it shares. A message may have its text only in blocks. Empty for a
 * mention of the bot alone.
 */
export function contentOf(
  { text: written = '', blocks, attachments = [], subtype }: Message,
  { account, hasFiles }: { account: ConnectedAccount; hasFiles: boolean },
): string {
  const bot = botUserId(account);
  const own = parseSlackText(written === '' ? blocksText(blocks) : written, bot);
  const shared = attachments
    .filter((each) => each.is_share === true || own === '')
    .flatMap(({ author_name, text: words, fallback, message_blocks }) => {
      const content = parseSlackText(words || blocksText(message_blocks) || fallback || '', bot);
      return content === '' ? [] : forwardedContent(author_name ?? 'someone', content);
    });
  const content = [own, ...shared].filter((part) => part !== '').join('\n\n');
  return content === '' && written === '' && !hasFiles ? unsupportedContent(subtype) : content;
}

export function isBot(account: ConnectedAccount, { user, bot_id, subtype }: Message): boolean {
  return (
    bot_id !== undefined || subtype === 'bot_message' || user === botUserId(account) || user === 'USLACKBOT'
  );
}

export function botUserId({ settings }: ConnectedAccount): string {
  return typeof settings.botUserId === 'string' ? settings.botUserId : '';
}

/** Returns the files of a message and of the messages that it shares. */
export async function filesOf(
  { files = [], attachments = [] }: Message,
  account: ConnectedAccount,
): Promise<ReceivedFile[]> {
  const shared = attachments.flatMap((each) => (each.is_share === true ? (each.files ?? []) : []));
  return Promise.all([...files, ...shared].map((file) => receivedFile(file, account)));
}

async function receivedFile(file: SlackFile, account: ConnectedAccount): Promise<ReceivedFile> {
  const token = account.credentials.botToken ?? '';
  const known = addressOf(file) === undefined ? await findFile(file, account) : file;
  const { name, mimetype } = known ?? file;
  return {
    name: name ?? 'file',
    contentType: mimetype ?? MISSING_TYPE,
    open: () => {
      if (!known) throw new ProviderFault('unreachable', 'Slack returned nothing about a file.');
      return openSlackFile(addressOf(known) ?? '', token, mimetype);
    },
  };
}

function addressOf({ url_private_download, url_private }: SlackFile): string | undefined {
  return url_private_download ?? url_private;
}

/**
 * Requests the details of a file when the event has only its id, for example in a channel that another workspace shares
 * (docs.slack.dev, Slack Connect, files).
 * @returns null when Slack does not answer now; the file without an address when Slack refuses it
 */
async function findFile(
  file: SlackFile,
  { id: accountId, credentials }: ConnectedAccount,
): Promise<SlackFile | null> {
  const { id } = file;
  if (id === undefined) return file;
  return lookUp({ accountId, id: `file:${id}` }, async (signal) => {
    try {
      const found = await slackClient(credentials.botToken ?? '', signal).files.info({ file: id });
      return fileShape.parse(found.file);
    } catch (error) {
      if (TEMPORARY_ERRORS.includes(slackRefusalOf(error).error)) throw error;
      return file;
    }
  });
}

/** Opens a file only from Slack's own hosts: the URL of an external file is chosen by its sender. */
async function openSlackFile(
  url: string,
  token: string,
  type = MISSING_TYPE,
): Promise<AsyncIterable<Uint8Array>> {
  if (!isSlackAddress(url)) throw new ProviderFault('refused', 'The URL of the file is not Slack’s.');
  const headers = { authorization: `Bearer ${token}` };
  const { headers: answered, source } = await fetchFromProvider({ url, headers, maxBytes: FILE_MAX_BYTES });
  // Without access, Slack redirects to its sign-in page, with status 200.
  if (String(answered['content-type'] ?? '').startsWith('text/html') && type !== 'text/html') {
    throw new ProviderFault('refused', 'Slack returned no file.');
  }
  return source;
}
