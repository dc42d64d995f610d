import { z } from 'zod';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import {
  forwardedContent,
  locationContent,
  titledContent,
  unsupportedContent,
} from '#server/inbox/channels/content-of-message.ts';
import type {
  ReceivedFile,
  ReceivedIdentity,
  ReceivedUpdate,
  StoredUpdate,
} from '#server/inbox/channels/received-update.ts';
import { openTelegramFile } from '#server/inbox/channels/telegram/telegram-api.ts';

/** Telegram allows 100 entities in a message. */
const ENTITIES_MAX = 200;

const text = z.string().optional().catch(undefined);
const albumId = z
  .string()
  .regex(/^\w{1,64}$/)
  .optional()
  .catch(undefined);
const fileShape = z.object({
  file_id: z.string(),
  file_unique_id: z.string().catch('file'),
  file_name: text,
  mime_type: text,
});
const file = fileShape.optional().catch(undefined);
const flag = z.boolean().catch(false);
const VIDEO_STICKER = { file_name: 'sticker.webm', mime_type: 'video/webm' };
const stickerShape = fileShape
  .extend({ emoji: text, is_animated: flag, is_video: flag })
  .transform((each) => ({ ...each, ...(each.is_video ? VIDEO_STICKER : {}) }));

/** Someone whose message was forwarded: a person, a person who hides their account, a group or a channel. */
const originShape = z.object({
  sender_user: z.object({ first_name: text, last_name: text }).optional().catch(undefined),
  sender_user_name: text,
  sender_chat: z.object({ title: text }).optional().catch(undefined),
  chat: z.object({ title: text }).optional().catch(undefined),
});
const entityShape = z.object({ type: z.string(), offset: z.number(), length: z.number(), url: text });
const entities = z.array(entityShape).max(ENTITIES_MAX).optional().catch(undefined);

const messageShape = z.looseObject({
  message_id: z.number(),
  date: z.number(),
  edit_date: z.number().optional(),
  media_group_id: albumId,
  chat: z.object({ id: z.number(), type: z.string() }),
  from: z.object({ id: z.number(), is_bot: z.boolean().catch(false), first_name: text, last_name: text }),
  text,
  entities,
  caption: text,
  caption_entities: entities,
  forward_origin: originShape.optional().catch(undefined),
  reply_to_message: z.object({ message_id: z.number() }).optional().catch(undefined),
  reply_to_story: z.unknown().optional(),
  photo: z.array(fileShape).optional().catch(undefined),
  document: file,
  video: file,
  animation: file,
  audio: file,
  voice: file,
  video_note: file,
  sticker: stickerShape.optional().catch(undefined),
  location: z.object({ latitude: z.number(), longitude: z.number() }).optional().catch(undefined),
  venue: z.object({ title: text, address: text }).optional().catch(undefined),
  poll: z.object({ question: z.string() }).optional().catch(undefined),
  checklist: z.object({ title: z.string() }).optional().catch(undefined),
  dice: z.object({ emoji: z.string(), value: z.number() }).optional().catch(undefined),
  contact: z
    .object({ phone_number: z.string(), first_name: text, last_name: text, user_id: z.number().optional() })
    .optional()
    .catch(undefined),
});

type Message = z.infer<typeof messageShape>;

/** The reactions of a person to a message, all of them. Those with a picture instead of an emoji are left out. */
const reactionShape = z.object({
  chat: z.object({ id: z.number(), type: z.string() }),
  message_id: z.number(),
  user: messageShape.shape.from,
  new_reaction: z.array(z.object({ emoji: text })),
});

const updateShape = z.object({
  update_id: z.number(),
  message: z.unknown().optional(),
  edited_message: z.unknown().optional(),
  message_reaction: z.unknown().optional(),
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

/** Fields of a message beside what its author sent (Bot API, Message). */
const DETAILS = new Set([
  ...Object.keys(messageShape.shape),
  'message_thread_id',
  'direct_messages_topic',
  'is_topic_message',
  'via_bot',
  'effect_id',
  'sender_chat',
  'sender_boost_count',
  'sender_business_bot',
  'sender_tag',
  'business_connection_id',
  'reply_to_message',
  'external_reply',
  'quote',
  'reply_to_story',
  'reply_to_checklist_task_id',
  'reply_markup',
  'forward_from',
  'forward_from_chat',
  'forward_from_message_id',
  'forward_signature',
  'forward_sender_name',
  'forward_date',
  'is_automatic_forward',
  'is_from_offline',
  'is_paid_post',
  'paid_star_count',
  'author_signature',
  'has_protected_content',
  'link_preview_options',
  'show_caption_above_media',
  'has_media_spoiler',
  'suggested_post_info',
]);
/** Notices of Telegram itself. */
const SERVICE =
  /^(?:new_chat_|left_chat_|delete_chat_|group_chat_|supergroup_chat_|channel_chat_|migrate_|message_auto_|pinned_|chat_(?!shared)|boost_|forum_|general_forum_|video_chat_|giveaway|write_access_|connected_website|proximity_|suggested_post_|direct_message_price_|paid_message_price_|checklist_tasks_|successful_payment|refunded_payment|passport_data)/;

/** Returns the id of an update. Telegram repeats an update until it gets a response (Bot API, Update). */
export function telegramUpdateId(body: Buffer): string | undefined {
  const parsed = updateShape.safeParse(JSON.parse(body.toString('utf8')));
  return parsed.success ? String(parsed.data.update_id) : undefined;
}

/** Returns the album of an update. Telegram sends each file of an album in its own update (Bot API, `media_group_id`). */
export function telegramAlbum(body: Buffer): string | undefined {
  const { message } = updateShape.safeParse(JSON.parse(body.toString('utf8'))).data ?? {};
  const { data } = messageShape.pick({ chat: true, media_group_id: true }).safeParse(message);
  return data?.media_group_id && `${data.chat.id}:${data.media_group_id}`;
}

/** Parses a person's message or reaction to the bot. Ignores groups, channels and other bots. */
export function receiveTelegram({ body }: StoredUpdate, account: ConnectedAccount): ReceivedUpdate[] {
  const { message, edited_message, message_reaction } = updateShape.parse(JSON.parse(body.toString('utf8')));
  if (message_reaction !== undefined) return parseReaction(message_reaction, account);
  const parsed = messageShape.safeParse(message ?? edited_message);
  if (!parsed.success) return [];
  const { data } = parsed;
  if (data.chat.type !== 'private' || data.from.is_bot) return [];
  const externalId = telegramMessageId(account, data.chat.id, data.message_id);
  const files = filesOf(data, account);
  const content = contentOf(data, files.length > 0);
  if (content === '' && files.length === 0) return [];
  if (edited_message !== undefined && message === undefined) {
    const editedAt = new Date((data.edit_date ?? data.date) * 1000);
    return [{ kind: 'edit', externalId, content, editedAt }];
  }
  const { from, contact, reply_to_message: answered, media_group_id: album } = data;
  const parts = [{ externalId, content, files }];
  return [
    {
      kind: 'message',
      ...(album === undefined
        ? { externalId, content, files }
        : {
            externalId: telegramMessageId(account, data.chat.id, `album:${album}`),
            content: '',
            files: [],
            parts,
          }),
      threadId: String(data.chat.id),
      // Telegram reveals a number only when its owner shares it.
      identity: identityOf(from, contact?.user_id === from.id ? contact.phone_number : null),
      context: {
        answers: answered && telegramMessageId(account, data.chat.id, answered.message_id),
        isAboutStory: data.reply_to_story !== undefined,
      },
    },
  ];
}

function parseReaction(reaction: unknown, account: ConnectedAccount): ReceivedUpdate[] {
  const parsed = reactionShape.safeParse(reaction);
  if (!parsed.success || parsed.data.chat.type !== 'private' || parsed.data.user.is_bot) return [];
  const { chat, message_id, user, new_reaction } = parsed.data;
  const externalId = telegramMessageId(account, chat.id, message_id);
  const added = new_reaction.flatMap(({ emoji }) => emoji ?? []);
  return [{ kind: 'reaction', externalId, identity: identityOf(user, null), added, removed: 'others' }];
}

function identityOf(from: Message['from'], phone: string | null): ReceivedIdentity {
  // A person's id is the same for all bots.
  return { externalId: String(from.id), scope: '', name: nameOf(from), phone };
}

/** Returns the external id of a message: message ids are unique per chat and bot. */
export function telegramMessageId(
  { externalId: botId }: Pick<ConnectedAccount, 'externalId'>,
  chatId: number | string,
  messageId: number | string,
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

/** Returns the text of a message, where it comes from, and what it has instead of text (`docs/rulings.md` 3.40, 3.41). */
function contentOf(message: Message, hasFiles: boolean): string {
  const { text: written, caption = '', entities, caption_entities, forward_origin } = message;
  const own = written
    ? withLinks(written, entities)
    : withLinks(caption, caption_entities) || (hasFiles ? '' : otherContent(message));
  const from = forward_origin && originOf(forward_origin);
  return from && (own !== '' || hasFiles) ? forwardedContent(from, own) : own;
}

/** Puts the address of a link in brackets behind its text. Offsets are in UTF-16 units. */
function withLinks(text: string, entities: Message['entities'] = []): string {
  const links = entities.filter(({ type, url }) => type === 'text_link' && url !== undefined);
  return links
    .toSorted((a, b) => b.offset + b.length - a.offset - a.length)
    .reduce((shown, { offset, length, url = '' }) => {
      const end = offset + length;
      return text.slice(offset, end) === url ? shown : `${shown.slice(0, end)} [${url}]${shown.slice(end)}`;
    }, text);
}

function originOf({ sender_user, sender_user_name, sender_chat, chat }: z.infer<typeof originShape>) {
  return (
    (sender_user && nameOf(sender_user)) || sender_user_name || sender_chat?.title || chat?.title || 'someone'
  );
}

function otherContent(message: Message): string {
  const { location, venue, contact, poll, checklist, dice, sticker } = message;
  if (location) return locationContent({ ...location, name: venue?.title, address: venue?.address });
  if (contact) return `Contact: ${[nameOf(contact), contact.phone_number].filter(Boolean).join(', ')}`;
  if (poll) return titledContent('Poll', poll.question);
  if (checklist) return titledContent('Checklist', checklist.title);
  if (sticker) return sticker.emoji ? titledContent('Sticker', sticker.emoji) : unsupportedContent('sticker');
  if (dice) return titledContent('Dice', `${dice.emoji} ${dice.value}`);
  const kind = Object.keys(message).find((name) => !DETAILS.has(name) && !SERVICE.test(name));
  return kind === undefined ? '' : unsupportedContent(kind);
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
    // Telegram repeats an animation as a document. No browser shows an animated sticker.
    if (!each || (kind === 'document' ? message.animation : 'is_animated' in each && each.is_animated))
      continue;
    found.push({
      name: each.file_name ?? name,
      contentType: each.mime_type ?? contentType,
      open: () => openTelegramFile(botToken, each.file_id),
    });
  }
  return found;
}
