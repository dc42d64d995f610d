import { headerOf, type MailHeader } from '#server/inbox/mail-parser/mail-headers.ts';
import type { MailAddress } from '#server/inbox/mail-parser/parsed-mail.ts';

/** Type of the part that makes a mail a reaction in Gmail (developers.google.com/gmail/reactions/format). */
export const REACTION_TYPE = 'text/vnd.google.email-reaction+json';

/** Exactly one emoji (Unicode Technical Standard 51). */
const EMOJI = /^\p{RGI_Emoji}$/v;
const EMOJI_MAX_LENGTH = 50;

/** Parses the part of a Gmail reaction. Returns the emoji; undefined for an invalid part. */
export function parseGmailReaction(json: string): string | undefined {
  if (json.length > 1_000) return undefined;
  try {
    const part: unknown = JSON.parse(json);
    if (typeof part !== 'object' || part === null || !('emoji' in part) || !('version' in part))
      return undefined;
    return part.version === 1 ? toEmoji(part.emoji) : undefined;
  } catch {
    return undefined;
  }
}

function toEmoji(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= EMOJI_MAX_LENGTH && EMOJI.test(value)
    ? value
    : undefined;
}

/** Reactions that Outlook offers. */
const OUTLOOK_NAMES: Readonly<Record<string, string>> = {
  like: '👍',
  heart: '❤️',
  celebrate: '🎉',
  laugh: '😆',
  surprised: '😲',
  sad: '😢',
};

/** Ends of the only sentence of an Outlook reaction, below the emoji and the name. */
const OUTLOOK_SENTENCES = [
  'reacted to your message',
  'hat auf ihre nachricht reagiert',
  'hat auf deine nachricht reagiert',
  'a réagi à votre message',
  'reaccionó a tu mensaje',
  'ha reaccionado a su mensaje',
  'ha reagito al tuo messaggio',
  'heeft gereageerd op uw bericht',
  'reagiu à sua mensagem',
];

/**
 * Parses an Outlook reaction: the only new text is a sentence that its author reacted, or `X-MS-Reactions` names a
 * reaction. The values `allow` and `disallow` of that header are common in ordinary mail: they say whether it may get
 * reactions.
 * @returns undefined for other mail; null for an emoji that is only a picture
 */
export function parseOutlookReaction(mail: {
  headers: readonly MailHeader[];
  from: MailAddress | null;
  /** New text of the author, without quotes. */
  text: string;
}): string | null | undefined {
  const value = headerOf(mail.headers, 'x-ms-reactions')?.trim().toLowerCase() ?? '';
  const inHeader = Object.hasOwn(OUTLOOK_NAMES, value) ? OUTLOOK_NAMES[value] : toEmoji(value);
  if (inHeader !== undefined) return inHeader;
  const line = mail.text.slice(0, 500).trim().replace(/[:.]$/, '').toLowerCase();
  const sentence = OUTLOOK_SENTENCES.find((each) => line.endsWith(` ${each}`));
  if (sentence === undefined || mail.text.trim().includes('\n')) return undefined;
  const [first = '', ...rest] = line.slice(0, -sentence.length - 1).split(' ');
  const found = toEmoji(first);
  const name = (found === undefined ? [first, ...rest] : rest).join(' ').trim();
  return name === mail.from?.name.toLowerCase() ? (found ?? null) : undefined;
}
