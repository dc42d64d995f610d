import { z } from 'zod';
import { ProviderFault } from '#server/core/provider-request.ts';
import { notConnectedSentence } from '#server/inbox/channels/accounts/account-channel-status.ts';
import type {
  ConnectedAccount,
  OutgoingFile,
  OutgoingMessage,
  OutgoingTemplate,
  SendOutcome,
} from '#server/inbox/channels/channel-adapter.ts';
import { messageWindow, windowSentence } from '#server/inbox/channels/meta/message-window.ts';
import { graphPart } from '#server/inbox/channels/meta/send-graph.ts';
import {
  type PartOutcome,
  readFully,
  type SendPart,
  sendParts,
} from '#server/inbox/channels/sending/send-parts.ts';
import { splitText } from '#server/inbox/channels/sending/split-text.ts';
import { whatsappMessageId } from '#server/inbox/channels/whatsapp/receive-whatsapp.ts';

/** Maximum length of a text message (WhatsApp, text messages). */
const TEXT_MAX_LENGTH = 4096;
const MB = 1024 * 1024;
/** Content types with their own message type, and size limits (WhatsApp, supported types). Others are documents. */
const MEDIA: Record<string, { kind: 'image' | 'video' | 'audio' | 'sticker'; maxBytes: number }> = {
  'image/jpeg': { kind: 'image', maxBytes: 5 * MB },
  'image/png': { kind: 'image', maxBytes: 5 * MB },
  'video/mp4': { kind: 'video', maxBytes: 16 * MB },
  'video/3gpp': { kind: 'video', maxBytes: 16 * MB },
  'audio/aac': { kind: 'audio', maxBytes: 16 * MB },
  'audio/amr': { kind: 'audio', maxBytes: 16 * MB },
  'audio/mpeg': { kind: 'audio', maxBytes: 16 * MB },
  'audio/mp4': { kind: 'audio', maxBytes: 16 * MB },
  'audio/ogg': { kind: 'audio', maxBytes: 16 * MB },
  'image/webp': { kind: 'sticker', maxBytes: 100 * 1024 },
};
const DOCUMENT_MAX_BYTES = 100 * MB;
const FILE_NAME_MAX_LENGTH = 240;

const NO_ADDRESS = 'There is no address to send this to on WhatsApp.';

const sentShape = z.object({ messages: z.array(z.object({ id: z.string() })).min(1) });
const uploadShape = z.object({ id: z.string() });

/** Sends a message to a person: the text in parts, then the files; or an approved template. */
export async function sendWhatsapp(message: OutgoingMessage): Promise<SendOutcome> {
  const { account, conversation, identity, content, attachments, template, lastReceivedAt } = message;
  if (!account) return { status: 'failed', reason: notConnectedSentence('whatsapp') };
  const person = conversation.externalThreadId ?? identity?.externalId ?? phoneOf(message);
  const to = person === undefined ? undefined : addressOf(person);
  if (!to) return { status: 'failed', reason: NO_ADDRESS };
  if (template) return sendParts([post(account, { ...to, ...templateBody(template) })], message);
  if (messageWindow('whatsapp', lastReceivedAt) === 'closed') {
    return { status: 'failed', reason: windowSentence('whatsapp', false) };
  }
  const texts = content.trim() === '' ? [] : splitText(content, TEXT_MAX_LENGTH);
  const parts = [
    ...texts.map((body) => post(account, { ...to, type: 'text', text: { body, preview_url: false } })),
    ...attachments.map((file) => sendFile(account, to, file)),
  ];
  return sendParts(parts, message);
}

type Address = { to: string } | { recipient: string };

/** Addresses a person by number, or by user id when the number is hidden (WhatsApp, business-scoped user ids). */
function addressOf(person: string): Address | undefined {
  if (/^\+?\d{5,20}$/.test(person)) return { to: person.replace('+', '') };
  return /^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$/.test(person) ? { recipient: person } : undefined;
}

/** Returns the contact's phone number, for a conversation that we started and the contact has not written in yet. */
function phoneOf({ contact }: OutgoingMessage): string | undefined {
  return contact?.phone?.replaceAll(/[^\d+]/g, '') || undefined;
}

function post(account: ConnectedAccount, message: Record<string, unknown>): SendPart {
  return part(account, async (request) => {
    const body = { messaging_product: 'whatsapp', recipient_type: 'individual', ...message };
    return sentOutcome(account, await request({ path: `${account.externalId}/messages`, body }));
  });
}

function part(account: ConnectedAccount, send: Parameters<typeof graphPart>[1]): SendPart {
  return graphPart({ channel: 'whatsapp', token: account.credentials.accessToken ?? '' }, send);
}

function sentOutcome(account: ConnectedAccount, response: unknown): PartOutcome {
  const id = sentShape.safeParse(response).data?.messages[0]?.id;
  if (id === undefined) throw new ProviderFault('unclear', 'WhatsApp returned no message id.');
  return { sent: whatsappMessageId(account, id) };
}

function sendFile(account: ConnectedAccount, to: Address, file: OutgoingFile): SendPart {
  if (file.sizeBytes > DOCUMENT_MAX_BYTES) {
    return async () => ({ reason: `WhatsApp accepts files up to 100 MB, and “${file.name}” is larger.` });
  }
  const known = MEDIA[file.contentType];
  const kind = known && file.sizeBytes <= known.maxBytes ? known.kind : 'document';
  return part(account, async (request) => {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('type', file.contentType);
    form.set('file', new Blob([await readFully(file)], { type: file.contentType }), file.name);
    const upload = uploadShape.safeParse(
      await request({ path: `${account.externalId}/media`, body: form }),
    ).data;
    if (!upload) throw new ProviderFault('unreachable', 'WhatsApp returned no media id.');
    const media = {
      id: upload.id,
      ...(kind === 'document' ? { filename: file.name.slice(0, FILE_NAME_MAX_LENGTH) } : {}),
    };
    const body = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...to,
      type: kind,
      [kind]: media,
    };
    return sentOutcome(account, await request({ path: `${account.externalId}/messages`, body }));
  });
}

/** An approved template with the values of its placeholders, in order, as stored with a message. */
export const sentTemplateShape = z.object({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/),
  language: z.string().regex(/^[A-Za-z_]{2,15}$/),
  values: z.array(z.object({ name: z.string().nullable(), text: z.string() })),
}) satisfies z.ZodType<OutgoingTemplate>;

/** Builds the request body (WhatsApp, template messages). Named placeholders carry their name; others are in order. */
function templateBody({ name, language, values }: OutgoingTemplate): Record<string, unknown> {
  const parameters = values.map((value) => ({
    type: 'text',
    ...(value.name === null ? {} : { parameter_name: value.name }),
    text: value.text,
  }));
  return {
    type: 'template',
    template: {
      name,
      language: { code: language },
      ...(parameters.length > 0 ? { components: [{ type: 'body', parameters }] } : {}),
    },
  };
}
