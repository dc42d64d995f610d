import type { Channel } from '#server/generated/prisma/enums.ts';
import type { FlowCondition } from '#server/inbox/flows/flow.ts';

/** A conversation that someone has begun, as conditions look at it. */
export type Begun = {
  channel: Channel;
  /** The subject and the first message. */
  text: string;
  /** The contact's address, in lowercase, or null. */
  email: string | null;
};

/** How much of what a contact wrote is looked through, in UTF-16 units: a stranger's mail may be of any length. */
const TEXT_MAX_LENGTH = 50_000;

/**
 * Whether a condition holds. A word is found without regard to case where a word begins, so that `invoice` finds
 * "Invoices" too and `art` does not find "start".
 */
export function matchesCondition({ channels, words, emailDomain }: FlowCondition, begun: Begun): boolean {
  if (channels.length > 0 && !channels.includes(begun.channel)) return false;
  if (emailDomain !== null && begun.email?.slice(begun.email.lastIndexOf('@') + 1) !== emailDomain)
    return false;
  if (words.length === 0) return true;
  const text = plain(begun.text.slice(0, TEXT_MAX_LENGTH));
  return words.some((word) => occursAtWordStart(text, plain(word)));
}

/** As texts are compared: composed, in lowercase, with one space where there is white space. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

const WITHIN_WORD = /[\p{L}\p{M}\p{N}]$/u;
/**
 * Scripts that write words without spaces between them: there each letter may begin one. It looks at four units, so
 * that at most three marks follow the letter.
 */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}{0,3}$/u;

function occursAtWordStart(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    // A letter outside of the basic plane is two units.
    const before = text.slice(Math.max(0, at - 4), at);
    if (!WITHIN_WORD.test(before) || UNSPACED.test(before)) return true;
  }
  return false;
}
