import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { tagKey } from '#server/contract/tag-key.ts';
import { asciiEmail } from '#server/core/email-domain.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type { FlowCondition } from '#server/inbox/flows/flow.ts';

/** What conditions see of a conversation, apart from its state. It stays the same while flows run. */
export type ConversationText = {
  channel: Channel;
  /** Subject and message. */
  text: string;
  /** Email address of the contact, in lowercase. */
  email: string | null;
};

/** Searched prefix of the text, in UTF-16 units. Untrusted mail can be of any length. */
const TEXT_MAX_LENGTH = 50_000;

/**
 * Returns true when the channel, the text and the contact match a condition. Words match case-insensitively at the start of a
 * word: `invoice` matches "Invoices", but `art` does not match "start".
 */
export function matchesCondition(
  { channels, words, emailDomain }: Pick<FlowCondition, 'channels' | 'words' | 'emailDomain'>,
  conversation: ConversationText,
): boolean {
  if (channels.length > 0 && !channels.includes(conversation.channel)) return false;
  // Stored addresses have their domain in ASCII.
  if (emailDomain !== null && !conversation.email?.endsWith(asciiEmail(`@${emailDomain}`))) return false;
  if (words.length === 0) return true;
  const text = normalize(conversation.text.slice(0, TEXT_MAX_LENGTH));
  return words.some((word) => occursAtWordStart(text, normalize(word)));
}

/** Returns true when the current status and tags of a conversation match a condition. */
export function matchesState(
  { statuses, tags }: FlowCondition,
  { status, tags: present }: Pick<ConversationRecord, 'status' | 'tags'>,
): boolean {
  if (statuses.length > 0 && !statuses.includes(status)) return false;
  const keys = present.map(tagKey);
  return tags.length === 0 || tags.some((tag) => keys.includes(tagKey(tag)));
}

/** Normalizes a text for comparison: NFKC, lowercase, single spaces. */
function normalize(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

const WITHIN_WORD = /[\p{L}\p{M}\p{N}]$/u;
/**
 * Scripts without spaces between words: a word may start at each letter. The compared text before the word has four
 * UTF-16 units, so at most three marks can follow the letter.
 */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}{0,3}$/u;

function occursAtWordStart(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    // A letter outside of the Basic Multilingual Plane takes two units.
    const before = text.slice(Math.max(0, at - 4), at);
    if (!WITHIN_WORD.test(before) || UNSPACED.test(before)) return true;
  }
  return false;
}
