import { z } from 'zod';
import { ProviderFault } from '#server/core/provider-request.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { locationContent, unsupportedContent } from '#server/inbox/channels/content-of-message.ts';
import { callGraph } from '#server/inbox/channels/meta/graph-api.ts';
import { isTemporary } from '#server/inbox/channels/meta/graph-errors.ts';
import { openMetaFile } from '#server/inbox/channels/meta/meta-files.ts';
import { listOf, optional, text } from '#server/inbox/channels/meta/meta-webhook.ts';
import type { ReceivedFile } from '#server/inbox/channels/received-update.ts';

const media = optional(
  z.object({ id: z.string().regex(/^\d{1,40}$/), mime_type: text, filename: text, caption: text }),
);

const contactShape = z.object({
  name: optional(z.object({ formatted_name: text, first_name: text, last_name: text })),
  phones: listOf(z.object({ phone: text, wa_id: text })),
  emails: listOf(z.object({ email: text })),
});

/** The content of a message, without sender and timestamp (WhatsApp, webhooks, messages). */
const contentShape = z.object({
  type: z.string().catch('unknown'),
  text: optional(z.object({ body: z.string() })),
  image: media,
  video: media,
  audio: media,
  voice: media,
  document: media,
  sticker: media,
  location: optional(z.object({ latitude: z.number(), longitude: z.number(), name: text, address: text })),
  contacts: listOf(contactShape),
  button: optional(z.object({ text: text })),
  interactive: optional(
    z.object({
      button_reply: optional(z.object({ title: text })),
      list_reply: optional(z.object({ title: text, description: text })),
      nfm_reply: optional(z.object({ body: text, name: text, response_json: text })),
    }),
  ),
  order: optional(
    z.object({
      text: text,
      product_items: listOf(z.object({ product_retailer_id: text, quantity: z.coerce.number().catch(1) })),
    }),
  ),
  unsupported: optional(z.object({ type: text })),
});

type WhatsappContent = z.infer<typeof contentShape>;

/** A message to the number. `from` is missing when the phone number is hidden. */
const messageShape = contentShape.extend({
  id: z.string().min(1).max(300),
  timestamp: z.coerce.number(),
  from: text,
  from_user_id: text,
  group_id: text,
  system: optional(z.object({ wa_id: text, user_id: text, previous_user_id: text })),
  edit: optional(z.object({ original_message_id: z.string(), message: contentShape })),
  revoke: optional(z.object({ original_message_id: z.string() })),
  reaction: optional(z.object({ message_id: z.string(), emoji: text })),
  context: optional(
    z.object({
      id: text,
      forwarded: z.boolean().catch(false),
      frequently_forwarded: z.boolean().catch(false),
      referred_product: optional(z.object({ product_retailer_id: text })),
    }),
  ),
  referral: optional(z.object({ headline: text, body: text, source_url: text, source_id: text })),
});

export type WhatsappMessage = z.infer<typeof messageShape>;

/** A message that was sent from the phone app. */
const echoShape = contentShape.extend({
  id: z.string().min(1).max(300),
  to: text,
  to_user_id: text,
});

const errorShape = z.object({
  code: z.number(),
  title: text,
  message: text,
  error_data: optional(z.object({ details: text })),
});

export const valueShape = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  contacts: listOf(
    z.object({
      profile: optional(z.object({ name: text, username: text })),
      wa_id: text,
      user_id: text,
    }),
  ),
  messages: listOf(messageShape),
  message_echoes: listOf(echoShape),
  statuses: listOf(z.object({ id: z.string(), status: z.string(), errors: listOf(errorShape) })),
});

/** A WhatsApp webhook: business accounts with their changes. */
export const bodyShape = z.object({
  object: text,
  entry: listOf(
    z.object({
      changes: listOf(z.object({ field: z.string(), value: z.unknown().optional() })),
    }),
  ),
});

/** Media types: default name and default content type. */
const MEDIA = {
  image: ['image', 'image/jpeg'],
  video: ['video', 'video/mp4'],
  audio: ['audio', 'audio/ogg'],
  voice: ['voice', 'audio/ogg'],
  document: ['document', 'application/octet-stream'],
  sticker: ['sticker', 'image/webp'],
} as const;
const MEDIA_KINDS = Object.keys(MEDIA) as (keyof typeof MEDIA)[];

/** Events that a person did not write. `request_welcome`: they opened the chat for the first time. */
const NO_MESSAGES = new Set(['reaction', 'system', 'request_welcome']);

/**
 * Returns the displayed content and the files; null for events that are not messages, such as reactions.
 * @param isEcho the message was sent from the phone app
 */
export function parseWhatsappContent(
  message: WhatsappContent,
  account: ConnectedAccount,
  isEcho = false,
): { content: string; files: ReceivedFile[] } | null {
  if (NO_MESSAGES.has(message.type)) return null;
  const files = filesOf(message, account);
  const content = contentOf(message);
  if (content !== '' || files.length > 0) return { content, files };
  const what = message.unsupported?.type ?? nameOfType(message.type);
  return { content: unsupportedContent(what, isEcho), files };
}

function nameOfType(type: string): string | null {
  return type === 'unsupported' || type === 'unknown' ? null : type;
}

function contentOf(message: WhatsappContent): string {
  const { text, button, location, contacts, interactive, order } = message;
  const caption = MEDIA_KINDS.map((kind) => message[kind]?.caption).find(Boolean);
  if (text) return text.body;
  if (caption) return caption;
  if (button?.text) return button.text;
  if (location) return locationContent(location);
  if (contacts.length > 0) return contacts.map(describeContact).join('\n');
  if (interactive) return describeReply(interactive);
  return order ? describeOrder(order) : '';
}

function describeContact({ name, phones, emails }: WhatsappContent['contacts'][number]): string {
  const fullName = name?.formatted_name ?? [name?.first_name, name?.last_name].filter(Boolean).join(' ');
  const parts = [fullName, ...phones.map(({ phone }) => phone), ...emails.map(({ email }) => email)];
  return `Contact: ${parts.filter(Boolean).join(', ')}`;
}

function describeReply(interactive: NonNullable<WhatsappContent['interactive']>): string {
  const { button_reply, list_reply, nfm_reply } = interactive;
  if (button_reply?.title) return button_reply.title;
  if (list_reply?.title) return [list_reply.title, list_reply.description].filter(Boolean).join('\n');
  if (!nfm_reply) return '';
  return [nfm_reply.body, ...answersIn(nfm_reply.response_json)].filter(Boolean).join('\n');
}

/** Returns the values of a submitted form, one per line, without the form's own token. */
function answersIn(json = ''): string[] {
  try {
    const answers = z.record(z.string(), z.unknown()).parse(JSON.parse(json));
    return Object.entries(answers)
      .filter(([name]) => name !== 'flow_token')
      .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  } catch {
    return [];
  }
}

function describeOrder({ text, product_items }: NonNullable<WhatsappContent['order']>): string {
  const items = product_items.map(
    ({ product_retailer_id, quantity }) => `${quantity} × ${product_retailer_id ?? 'unknown product'}`,
  );
  return [`Order: ${items.join(', ')}`, text].filter(Boolean).join('\n');
}

function filesOf(message: WhatsappContent, account: ConnectedAccount): ReceivedFile[] {
  return MEDIA_KINDS.flatMap((kind) => {
    const file = message[kind];
    if (!file) return [];
    const [name, usualType] = MEDIA[kind];
    const contentType = file.mime_type?.split(';')[0]?.trim() || usualType;
    const extension = contentType.split('/')[1]?.replace(/^jpeg$/, 'jpg') ?? '';
    const isPlain = /^[a-z0-9]{2,5}$/.test(extension);
    return [
      {
        name: file.filename ?? (isPlain ? `${name}.${extension}` : name),
        contentType,
        open: () => openMedia(account, file.id),
      },
    ];
  });
}

const mediaShape = z.object({ url: z.string() });

/** Opens a media file. Meta's URL for an id is valid for five minutes, and only with the account's token. */
async function openMedia(account: ConnectedAccount, id: string): Promise<AsyncIterable<Uint8Array>> {
  const token = account.credentials.accessToken ?? '';
  const query = { phone_number_id: account.externalId };
  const response = await callGraph({ token, path: id, query });
  if (!response.ok && isTemporary(response.refusal)) {
    throw new ProviderFault('unreachable', `WhatsApp answered ${response.refusal.code} for a file.`);
  }
  const media = response.ok ? mediaShape.safeParse(response.body).data : undefined;
  if (!media) throw new ProviderFault('refused', 'WhatsApp returned no file.');
  return openMetaFile(media.url, token);
}
