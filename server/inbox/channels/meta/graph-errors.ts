import type { Channel } from '#server/generated/prisma/enums.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import type { GraphRefusal } from '#server/inbox/channels/meta/graph-api.ts';
import { windowSentence } from '#server/inbox/channels/meta/message-window.ts';
import { reconnectSentence, throttledSentence } from '#server/inbox/channels/sending/provider-sentences.ts';
import type { PartOutcome } from '#server/inbox/channels/sending/send-parts.ts';

const DETAIL_MAX_LENGTH = 200;

/** The token is invalid, expired or revoked (Graph API, error codes; WhatsApp, error codes 0 and 190). */
const TOKEN_CODES = new Set([0, 102, 190, 463, 467]);
/** Rate limits of the app, page, number or recipient pair. */
const THROTTLE_CODES = new Set([4, 17, 32, 341, 613, 80007, 130429, 131056, 133016]);
/** Temporary errors at Meta. */
const FAULT_CODES = new Set([1, 2, 1200, 131000, 131016, 131057, 133004]);
const WINDOW_CODES = new Set([470, 131047]);
/** With code 10: Messenger's and Instagram's closed messaging window. */
const WINDOW_SUBCODES = new Set([2018065, 2018278, 2534022]);
/** The person receives no messages of the page, reported with different codes, such as 10, 200 and 551 (Messenger, error codes). */
const UNREACHABLE_SUBCODES = new Set([1545041, 2018108]);
const NOBODY_SUBCODES = new Set([2018001, 2534014]);
/** A page's file could not be uploaded, is not a single file, or is too large (Messenger, error codes). */
const FILE_SUBCODES = new Set([2018005, 2018047, 2018109]);

const UNREACHABLE = 'The contact cannot be reached: they have blocked this account or no longer use theirs.';

/** Explanations of the other codes, for the teammate who wrote the reply. */
const SENTENCES: Record<number, string> = {
  368: 'Meta has temporarily blocked this account because it violated a policy. Its owner can find the reason in the Business Manager.',
  551: UNREACHABLE,
  131008: 'WhatsApp rejected the message because a required value is missing.',
  131021: 'The contact’s number is the account’s own number, so WhatsApp sends no messages to it.',
  131026:
    'WhatsApp cannot deliver to this contact: the number does not use WhatsApp, has an outdated version, or has not accepted the terms.',
  131030: 'This is a WhatsApp test number, and the contact is not on its list of allowed recipients.',
  131031: 'Meta has locked this WhatsApp account. Its owner can find the reason in the WhatsApp Manager.',
  131037: 'The display name of this WhatsApp number is not approved yet.',
  131042:
    'WhatsApp sends no messages because the payment method of this account is missing or was declined. Update it in the WhatsApp Manager.',
  131045: 'This number is not registered with WhatsApp. Register it in the WhatsApp Manager.',
  131048:
    'WhatsApp limits how many messages this number sends because contacts blocked it or reported its messages. Its owner can check the quality of the number in the WhatsApp Manager.',
  131049:
    'WhatsApp limits how many messages a person receives, and did not deliver this one. Try again later.',
  131050: 'The contact no longer wants marketing messages from this account.',
  131051: 'WhatsApp does not support this type of message.',
  131052: 'WhatsApp could not fetch the file.',
  131053: 'WhatsApp could not use the file: it does not accept this type or size.',
  132000: 'The template needs a different number of values. Fill in each of them.',
  132001: 'WhatsApp has no approved template with this name and language. Choose another template.',
  132005: 'The template is too long with these values. Shorten them.',
  132007: 'The template breaks a policy of WhatsApp. Choose another template.',
  132012: 'A value does not have the format that the template needs. Correct it.',
  132015: 'WhatsApp has paused this template because contacts complained about it. Choose another one.',
  132016: 'WhatsApp has disabled this template because contacts complained about it. Choose another one.',
  133010: 'This number is not registered with WhatsApp. Register it in the WhatsApp Manager.',
};

/** Returns true when Meta rejects the token. */
export function isTokenRefused({ code }: GraphRefusal): boolean {
  return TOKEN_CODES.has(code);
}

/** Returns true when a later call may succeed: Meta throttles us or has an internal error. */
export function isTemporary({ code }: GraphRefusal): boolean {
  return THROTTLE_CODES.has(code) || FAULT_CODES.has(code);
}

/**
 * Returns true when Meta rejects the `appsecret_proof` of a call. Meta reports code 100 without a subcode, as for
 * unknown objects, so only the message distinguishes the two.
 */
export function isAppSecretRefused({ code, message }: GraphRefusal): boolean {
  return code === 100 && message.includes('appsecret_proof');
}

/**
 * Returns the outcome of a message that Meta rejected.
 * @param byPerson whether the message carried the human agent tag
 */
export function refusedOutcome(channel: Channel, refusal: GraphRefusal, byPerson = false): PartOutcome {
  return isTokenRefused(refusal)
    ? { reason: reconnectSentence(channel), reconnect: true }
    : { reason: errorMessage(channel, refusal, byPerson), isOutsideWindow: isWindowClosed(refusal) };
}

function isWindowClosed({ code, subcode }: GraphRefusal): boolean {
  return WINDOW_CODES.has(code) || (subcode !== null && WINDOW_SUBCODES.has(subcode));
}

/** Returns why Meta did not accept or deliver a message, as a sentence for the teammate who wrote it. */
export function errorMessage(channel: Channel, refusal: GraphRefusal, byPerson = false): string {
  const { code, subcode, message } = refusal;
  const { name } = CHANNEL_NAMES[channel];
  if (isWindowClosed(refusal)) return windowSentence(channel, byPerson);
  if (subcode !== null && UNREACHABLE_SUBCODES.has(subcode)) return UNREACHABLE;
  if (subcode !== null && NOBODY_SUBCODES.has(subcode)) {
    return `${name} no longer knows this contact.`;
  }
  if (subcode !== null && FILE_SUBCODES.has(subcode)) {
    return `${name} could not use the file: it does not accept this type or size.`;
  }
  if (THROTTLE_CODES.has(code)) return throttledSentence(channel);
  if (FAULT_CODES.has(code)) return `${name} has an internal error right now. Send the message again later.`;
  const known = SENTENCES[code];
  if (known) return known;
  if (code === 10 || (code >= 200 && code < 300)) {
    return `The token lacks a permission, so ${name} rejected the message: ${cut(message)}`;
  }
  return `${name} did not accept the message: ${cut(message) || `error ${code}`}`;
}

function cut(text: string): string {
  return text.length > DETAIL_MAX_LENGTH ? `${text.slice(0, DETAIL_MAX_LENGTH).trimEnd()}…` : text;
}
