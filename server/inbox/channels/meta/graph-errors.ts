import type { Channel } from '#server/generated/prisma/enums.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import type { GraphRefusal } from '#server/inbox/channels/meta/graph-api.ts';
import { windowSentence } from '#server/inbox/channels/meta/message-window.ts';
import { reconnectSentence, throttledSentence } from '#server/inbox/channels/sending/provider-sentences.ts';
import type { PartOutcome } from '#server/inbox/channels/sending/send-parts.ts';

const SAID_MAX_LENGTH = 200;

/** The token is wrong, has expired or was revoked (Graph API, error codes; WhatsApp, error codes 0 and 190). */
const TOKEN_CODES = new Set([0, 102, 190, 463, 467]);
/** Too much in too short a time: of the app, page, number or pair. */
const THROTTLE_CODES = new Set([4, 17, 32, 341, 613, 80007, 130429, 131048, 131056, 133016]);
/** A fault of Meta's that goes by. */
const FAULT_CODES = new Set([1, 2, 1200, 131000, 131016, 131057, 133004]);
const WINDOW_CODES = new Set([470, 131047]);
/** Beside code 10: Messenger's and Instagram's closed window. */
const WINDOW_SUBCODES = new Set([2018065, 2018278, 2534022]);
const NOBODY_SUBCODES = new Set([2018001, 2534014]);
/** A page's file: it could not be uploaded, is not one file, or is too large (Messenger, error codes). */
const FILE_SUBCODES = new Set([2018005, 2018047, 2018109]);

/** What the other codes mean for the teammate who wrote the reply. */
const SENTENCES: Record<number, string> = {
  368: 'Meta has blocked this account for a while because it broke a policy. Its owner finds the reason in the Business Manager.',
  551: 'The contact cannot be reached: they have blocked this account or no longer use theirs.',
  131008: 'WhatsApp rejected the message because a required value is missing.',
  131021: 'The contact’s number is the account’s own, so WhatsApp sends nothing to it.',
  131026:
    'WhatsApp cannot deliver to this contact: the number has no WhatsApp, or its WhatsApp is too old or has not accepted its terms.',
  131030: 'This is a test number of WhatsApp, and the contact is not on the list of those it may write to.',
  131031: 'Meta has locked this WhatsApp account. Its owner finds the reason in the WhatsApp Manager.',
  131037: 'The display name of this WhatsApp number is not approved yet.',
  131042:
    'WhatsApp sends nothing because the payment method of this account is missing or was declined. Update it in the WhatsApp Manager.',
  131045: 'This number is not registered with WhatsApp. Register it in the WhatsApp Manager.',
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

/** Whether Meta calls the token invalid. */
export function isTokenRefused({ code }: GraphRefusal): boolean {
  return TOKEN_CODES.has(code);
}

/**
 * Returns whether Meta refused the `appsecret_proof` of a call. Meta reports it as code 100 without a subcode, as it
 * reports unknown objects, so only the message tells the two apart.
 */
export function isAppSecretRefused({ code, message }: GraphRefusal): boolean {
  return code === 100 && message.includes('appsecret_proof');
}

/**
 * What came of a message that Meta refused, in words.
 * @param byPerson whether it went under the tag for people
 */
export function refusedOutcome(channel: Channel, refusal: GraphRefusal, byPerson = false): PartOutcome {
  return isTokenRefused(refusal)
    ? { reason: reconnectSentence(channel), reconnect: true }
    : { reason: errorMessage(channel, refusal, byPerson) };
}

/** Why Meta did not take or deliver a message, as a sentence for the teammate who wrote it. */
export function errorMessage(channel: Channel, refusal: GraphRefusal, byPerson = false): string {
  const { code, subcode, message } = refusal;
  const { name } = CHANNEL_NAMES[channel];
  if (WINDOW_CODES.has(code) || (subcode !== null && WINDOW_SUBCODES.has(subcode))) {
    return windowSentence(channel, byPerson);
  }
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
    return `The token lacks a permission, so ${name} rejected the message. It says: ${cut(message)}`;
  }
  return `${name} did not take the message. It says: ${cut(message) || `error ${code}`}`;
}

function cut(text: string): string {
  return text.length > SAID_MAX_LENGTH ? `${text.slice(0, SAID_MAX_LENGTH).trimEnd()}…` : text;
}
