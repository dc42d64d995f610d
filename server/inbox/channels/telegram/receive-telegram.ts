import { z } from 'zod';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { ReceivedFile, ReceivedUpdate, StoredUpdate } from '#server/inbox/channels/received-update.ts';
import { openTelegramFile } from '#server/inbox/channels/telegram/telegram-api.ts';

const text = z.string().optional().catch(undefined);
const fileShape = z.object({
  file_id: z.string(),
  file_unique_id: z.string().catch('file'),
  file_name: text,
  mime_type: text,
});
const file = fileShape.optional().catch(undefined);

const messageShape = z.object({
  message_id: z.number(),
  date: z.number(),
  edit_date: z.number().optional(),
  chat: z.object({ id: z.number(), type: z.string() }),
  from: z.object({ id: z.number(), is_bot: z.boolean().catch(false), first_name: text, last_name: text }),
  text,
  caption: text,
  photo: z.array(fileShape).optional().catch(undefined),
  document: file,
  video: file,
  animation: file,
  audio: file,
  voice: file,
  video_note: file,
  sticker: file,
  location: z.object({ latitude: z.number(), longitude: z.number() }).optional().catch(undefined),
  contact: z
    .object({ phone_number: z.string(), first_name: text, last_name: text, user_id: z.number().optional() })
    .optional()
    .catch(undefined),
});

type Message = z.infer<typeof messageShape>;

const updateShape = z.object({
  update_id: z.number(),
  message: z.unknown().optional(),
  edited_message: z.unknown().optional(),
});

/** File fields of a message, with their default name and content type. */
const FILES = [
  ['document', 'document', 'application/octet-stream'],
  ['video', 'video.mp4', 'video/mp4'],
  ['animation', 'animation.mp4', 'video/mp4'],
  ['audio', 'audio.mp3', 'audio/mpeg'],
  ['voice', 'voice.ogg', 'audio/ogg'],
  ['video_note', 'video.mp4', 'video/mp4'],
  ['sticker', 'sticker.webp', 'image/webp'],
] as const;

/** Returns the id of an update. Telegram repeats an update until it gets a response (Bot API, Update). */
export function telegramUpdateId(body: Buffer): string | undefined {
  const parsed = updateShape.safeParse(JSON.parse(body.toString('utf8')));
  return parsed.success ? String(parsed.data.update_id) : undefined;
}

/** Parses a person's message to the bot. Ignores groups, channels and other bots. */
export function receiveTelegram({ body }: StoredUpdate, account: ConnectedAccount): ReceivedUpdate[] {
  const { message, edited_message } = updateShape.parse(JSON.parse(body.toString('utf8')));
  const parsed = messageShape.safeParse(message ?? edited_message);
  if (!parsed.success) return [];
  const { data } = parsed;
  if (data.chat.type !== 'private' || data.from.is_bot) return [];
  const externalId = telegramMessageId(account, data.chat.id, data.message_id);
  const content = contentOf(data);
  const files = filesOf(data, account);
  if (content === '' && files.length === 0) return [];
  if (edited_message !== undefined && message === undefined) {
    const editedAt = new Date((data.edit_date ?? data.date) * 1000);
    return [{ kind: 'edit', externalId, content, editedAt }];
  }
  const { from, contact } = data;
  return [
    {
      kind: 'message',
      externalId,
      threadId: String(data.chat.id),
      identity: {
        externalId: String(from.id),
        // A person's id is the same for all bots.
        scope: '',
        name: nameOf(from),
        // Telegram reveals a number only when its owner shares it.
        phone: contact && contact.user_id === from.id ? contact.phone_number : null,
      },
      content,
      files,
    },
  ];
}

/** Returns the external id of a message: message ids are unique per chat and bot. */
export function telegramMessageId(
  { externalId: botId }: Pick<ConnectedAccount, 'externalId'>,
  chatId: number | string,
  messageId: number,
): string {
  return `telegram:${botId}:${chatId}:${messageId}`;
}

function nameOf({
  first_name,
  last_name,
}: {
  first_name?: string | undefined;
  last_name?: string | undefined;
}) {
  return [first_name, last_name].filter(Boolean).join(' ') || null;
}

function contentOf({ text: written, caption, location, contact }: Message): string {
  const content = written ?? caption ?? '';
  if (content !== '') return content;
  if (location) return `Location: ${location.latitude}, ${location.longitude}`;
  return contact ? `Contact: ${[nameOf(contact), contact.phone_number].filter(Boolean).join(', ')}` : '';
}

function filesOf(message: Message, { credentials }: ConnectedAccount): ReceivedFile[] {
  const { botToken = '' } = credentials;
  // The sizes of a photo, largest last.
  const photo = message.photo?.at(-1);
  const found: ReceivedFile[] = photo
    ? [
        {
          name: 'photo.jpg',
          contentType: 'image/jpeg',
          open: () => openTelegramFile(botToken, photo.file_id),
        },
      ]
    : [];
  for (const [kind, name, contentType] of FILES) {
    const each = message[kind];
    // Telegram repeats an animation as a document.
    if (!each || (kind === 'document' && message.animation)) continue;
    found.push({
      name: each.file_name ?? name,
      contentType: each.mime_type ?? contentType,
      open: () => openTelegramFile(botToken, each.file_id),
    });
  }
  return found;
}
