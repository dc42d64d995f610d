import { z } from 'zod';
import { locationContent, unsupportedContent } from '#server/inbox/channels/content-of-message.ts';
import { isMetaAddress, openMetaFile } from '#server/inbox/channels/meta/meta-files.ts';
import { listOf, number, optional, text } from '#server/inbox/channels/meta/meta-webhook.ts';
import type { ReceivedFile } from '#server/inbox/channels/received-update.ts';

const attachmentShape = z.object({
  type: z.string(),
  payload: optional(
    z.object({
      url: text,
      title: text,
      sticker_id: number,
      coordinates: optional(z.object({ lat: z.number(), long: z.number() })),
    }),
  ),
  title: text,
});

type PageAttachment = z.infer<typeof attachmentShape>;

const messageShape = z.object({
  mid: z.string().min(1).max(500),
  text,
  is_echo: z.boolean().catch(false),
  is_deleted: z.boolean().catch(false),
  is_unsupported: z.boolean().catch(false),
  attachments: listOf(attachmentShape),
  reply_to: optional(z.object({ mid: text, story: optional(z.object({ id: text })) })),
  referral: optional(
    z.object({ ref: text, ad_id: text, ads_context_data: optional(z.object({ ad_title: text })) }),
  ),
});

export type PageMessage = z.infer<typeof messageShape>;

const person = z.object({ id: z.string().regex(/^\d{1,40}$/) });

/** One event in a thread with a page or an Instagram account (Messenger Platform, webhook events). */
const messagingShape = z.object({
  sender: person,
  recipient: person,
  timestamp: z.number(),
  message: optional(messageShape),
  message_edit: optional(z.object({ mid: z.string(), text })),
  postback: optional(z.object({ mid: text, title: text })),
  reaction: optional(z.object({ mid: z.string(), action: z.enum(['react', 'unreact']), emoji: text })),
});

export type PageMessaging = z.infer<typeof messagingShape>;

/** A webhook of Messenger or Instagram: accounts with their events. */
export const pageBodyShape = z.object({
  object: text,
  entry: listOf(z.object({ id: z.string(), messaging: listOf(messagingShape) })),
});

/** Attachment types that are files: default name, default content type, default extension. */
const FILES: Record<string, readonly [name: string, type: string, extension: string]> = {
  image: ['image', 'image/jpeg', 'jpg'],
  video: ['video', 'video/mp4', 'mp4'],
  audio: ['audio', 'audio/mp4', 'm4a'],
  file: ['file', 'application/octet-stream', ''],
};

/** Attachment types that are shown as text. Story media must not be stored (Instagram, story mention). */
const SHARED: Record<string, string> = {
  fallback: 'Shared a link',
  share: 'Shared a post',
  post: 'Shared a post',
  ig_post: 'Shared a post',
  reel: 'Shared a reel',
  ig_reel: 'Shared a reel',
  story_mention: 'Mentioned the account in a story',
  ig_story: 'Shared a story',
  template: 'Shared a card',
};

const TYPES: Record<string, string> = {
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
};

/** Returns the displayed content and the files of a message. */
export function parsePageContent({ text, attachments, is_unsupported, is_echo }: PageMessage): {
  content: string;
  files: ReceivedFile[];
} {
  // Meta currently sends a shared post twice, as `share` and as `post`.
  const notes = [...new Set(attachments.flatMap(describe))];
  const files = attachments.flatMap(fileOf);
  const content = [text, ...notes].filter(Boolean).join('\n');
  if (content !== '' || files.length > 0) return { content, files };
  const [other] = attachments;
  const what = is_unsupported || !other ? null : other.type;
  return { content: unsupportedContent(what, is_echo), files };
}

function describe({ type, title, payload }: PageAttachment): string[] {
  if (type === 'location' && payload?.coordinates) {
    const { lat: latitude, long: longitude } = payload.coordinates;
    return [locationContent({ name: title, latitude, longitude })];
  }
  const shared = SHARED[type];
  const label = title ?? payload?.title;
  return shared ? [`[${[shared, label].filter(Boolean).join(': ')}]`] : [];
}

function fileOf({ type, payload }: PageAttachment): ReceivedFile[] {
  const known = FILES[type];
  const url = payload?.url;
  if (!known || !url) return [];
  const [name, usualType, usualExtension] = known;
  const own = nameIn(url);
  const extension = own?.split('.').at(-1)?.toLowerCase() ?? '';
  return [
    {
      name: own ?? (usualExtension === '' ? name : `${name}.${usualExtension}`),
      contentType: TYPES[extension] ?? usualType,
      open: () => openMetaFile(url),
    },
  ];
}

/** Returns the file name at the end of a Meta URL, if it has an extension. */
function nameIn(url: string): string | undefined {
  if (!isMetaAddress(url)) return undefined;
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    const name = decodeURIComponent(last);
    return /^[^/\\]{1,150}\.[A-Za-z0-9]{1,5}$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
