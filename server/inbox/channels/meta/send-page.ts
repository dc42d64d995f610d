import { z } from 'zod';
import { ProviderFault } from '#server/core/provider-request.ts';
import { notConnectedSentence } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type { OutgoingFile, OutgoingMessage, SendOutcome } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import {
  messageWindow,
  noHumanAgentSentence,
  windowSentence,
} from '#server/inbox/channels/meta/message-window.ts';
import { pageMessageId } from '#server/inbox/channels/meta/receive-page.ts';
import { type GraphRequest, graphPart } from '#server/inbox/channels/meta/send-graph.ts';
import {
  type PartOutcome,
  readFully,
  type SendPart,
  sendParts,
} from '#server/inbox/channels/sending/send-parts.ts';

/** Differences between the channels of a page. */
export type PageSending = {
  channel: 'messenger' | 'instagram';
  /** Splits a text into parts within the channel's limit. */
  split(text: string): string[];
  /** Returns the attachment type and size limit for a content type; null when the channel does not accept it. */
  mediaOf(contentType: string): { type: string; maxBytes: number } | null;
  /** Additional form fields of an upload. */
  uploadFields: Record<string, string>;
};

const UNTAGGED = { messaging_type: 'RESPONSE' };
const TAGGED = { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' };

const sentShape = z.object({ message_id: z.string() });
const uploadShape = z.object({ attachment_id: z.coerce.string() });

/**
 * Sends a message through the page: the text in parts, then the files. After 24 hours only a person's message from the
 * inbox is sent, for seven days, with the human agent tag (`docs/rulings.md` 3.19, 3.27). Sends nothing of a message with a file that
 * the channel does not accept: sending it again could not complete it.
 */
export async function sendPage(message: OutgoingMessage, sending: PageSending): Promise<SendOutcome> {
  const { account, conversation, identity, content, attachments, lastReceivedAt, authorKind } = message;
  const { channel } = sending;
  if (!account) return { status: 'failed', reason: notConnectedSentence(channel) };
  const personId = conversation.externalThreadId ?? identity?.externalId;
  if (personId === undefined) {
    return {
      status: 'failed',
      reason: `There is no address to send this to on ${CHANNEL_NAMES[channel].name}.`,
    };
  }
  const isPerson = authorKind === 'teammate';
  const window = messageWindow(channel, lastReceivedAt);
  if (window === 'closed' || (window === 'person' && !isPerson)) {
    return { status: 'failed', reason: windowSentence(channel, window === 'closed') };
  }
  const problem = attachments.map((file) => fileProblem(file, sending)).find((each) => each !== null);
  if (problem) return { status: 'failed', reason: problem };
  const token = account.credentials.accessToken ?? '';
  let byPerson = window === 'person';
  const part = (send: (post: Post, request: GraphRequest) => Promise<PartOutcome>): SendPart => {
    const attempt = (signal: AbortSignal) =>
      graphPart({ channel, token, byPerson }, (request) =>
        send(async (message) => {
          const body = { recipient: { id: personId }, ...(byPerson ? TAGGED : UNTAGGED), message };
          const response = await request({ path: 'me/messages', body });
          const mid = sentShape.safeParse(response).data?.message_id;
          if (mid === undefined) throw new ProviderFault('unclear', 'Meta returned no message id.');
          return { sent: pageMessageId(account, mid) };
        }, request),
      )(signal);
    return async (signal) => {
      const outcome = await attempt(signal);
      if (byPerson || !isPerson || !('reason' in outcome) || !outcome.isOutsideWindow) return outcome;
      // The message of the contact reached the service late, so that window is open for longer than Meta’s.
      byPerson = true;
      const tagged = await attempt(signal);
      // A refusal for another reason is mostly about the tag, as of an app without the Human Agent permission.
      const isOther = 'reason' in tagged && tagged.isOutsideWindow === false;
      return isOther ? { ...outcome, reason: noHumanAgentSentence(channel) } : tagged;
    };
  };
  const texts = content.trim() === '' ? [] : sending.split(content);
  const parts = [
    ...texts.map((text) => part((post) => post({ text }))),
    ...attachments.map((file) => sendFile(file, sending, part)),
  ];
  return sendParts(parts, message);
}

type Post = (message: Record<string, unknown>) => Promise<PartOutcome>;

/** Returns a sentence about a file that the channel does not accept, or null. */
function fileProblem(file: OutgoingFile, { channel, mediaOf }: PageSending): string | null {
  const { name } = CHANNEL_NAMES[channel];
  const media = mediaOf(file.contentType);
  if (!media) return `${name} does not accept files of this type: “${file.name}”.`;
  if (file.sizeBytes <= media.maxBytes) return null;
  return `${name} accepts files of this type up to ${media.maxBytes / (1024 * 1024)} MB, and “${file.name}” is larger.`;
}

function sendFile(
  file: OutgoingFile,
  { mediaOf, uploadFields }: PageSending,
  part: (send: (post: Post, request: GraphRequest) => Promise<PartOutcome>) => SendPart,
): SendPart {
  const type = mediaOf(file.contentType)?.type;
  return part(async (post, request) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(uploadFields)) form.set(field, value);
    form.set('message', JSON.stringify({ attachment: { type, payload: { is_reusable: false } } }));
    form.set('filedata', new Blob([await readFully(file)], { type: file.contentType }), plainName(file.name));
    const response = await request({ path: 'me/message_attachments', body: form });
    const upload = uploadShape.safeParse(response).data;
    if (!upload) throw new ProviderFault('unreachable', 'Meta returned no attachment id.');
    return post({ attachment: { type, payload: { attachment_id: upload.attachment_id } } });
  });
}

/** Reduces a file name to ASCII, as Meta accepts no other characters (Instagram, upload media, limitations). */
function plainName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/[^\x20-\x7e]/g, '');
  return plain.replaceAll(/["\\]/g, '_').trim() || 'file';
}
