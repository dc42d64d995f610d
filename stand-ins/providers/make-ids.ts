import { randomBytes, randomUUID } from 'node:crypto';

/** WhatsApp's id of a message. */
export const wamid = (): string => `wamid.${randomBytes(30).toString('base64')}`;

/** Messenger's id of a message, and Instagram's, which is longer and without a prefix. */
export const messengerMid = (): string => `m_${randomBytes(48).toString('base64url')}`;
export const instagramMid = (): string => randomBytes(72).toString('base64url');

/** Meta's own id of a request, in every error. */
export const traceId = (): string => `A${randomBytes(16).toString('base64url')}`;

/** A number of so many digits as text. */
export function numericId(digits: number): string {
  return (BigInt(`0x${randomBytes(16).toString('hex')}`) + 10n ** 38n)
    .toString()
    .slice(-digits)
    .replace(/^0/, '1');
}

/** Slack's ids: a letter and ten more. */
export const slackId = (letter: string): string => `${letter}${randomBytes(5).toString('hex').toUpperCase()}`;

let lastTs = 0;

/** Slack's id of a message in its channel: the time in microseconds, never the same twice. */
export function slackTs(): string {
  lastTs = Math.max(Date.now() * 1_000, lastTs + 1);
  const text = String(lastTs);
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
}

let lastCount = 0;

/** Telegram's id of a message in its chat. */
export function countedId(): number {
  lastCount = Math.max(Math.floor(Date.now() / 100) % 2_000_000_000, lastCount + 1);
  return lastCount;
}

export const uuid = (): string => randomUUID();

/** A Message-ID of the domain of an address. */
export function idAt(address: string): string {
  return `<${uuid()}@${address.slice(address.lastIndexOf('@') + 1) || 'contacts.example'}>`;
}
