import { randomBytes, randomUUID } from 'node:crypto';

/** Generates a WhatsApp message id. */
export const wamid = (): string => `wamid.${randomBytes(30).toString('base64')}`;

/** Generate message ids of Messenger and of Instagram, which are longer and have no prefix. */
export const messengerMid = (): string => `m_${randomBytes(48).toString('base64url')}`;
export const instagramMid = (): string => randomBytes(72).toString('base64url');

/** Generates the trace id that Meta adds to every error. */
export const traceId = (): string => `A${randomBytes(16).toString('base64url')}`;

/** Generates a number with this many digits, as text. */
export function numericId(digits: number): string {
  return (BigInt(`0x${randomBytes(16).toString('hex')}`) + 10n ** 38n)
    .toString()
    .slice(-digits)
    .replace(/^0/, '1');
}

/** Generates a Slack id: a prefix and ten characters. */
export const slackId = (letter: string): string => `${letter}${randomBytes(5).toString('hex').toUpperCase()}`;

let lastTs = 0;

/** Generates a unique Slack timestamp, which is the id of a message in its channel. */
export function slackTs(): string {
  lastTs = Math.max(Date.now() * 1_000, lastTs + 1);
  const text = String(lastTs);
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
}

let lastCount = 0;

/** Generates a Telegram message id. */
export function countedId(): number {
  lastCount = Math.max(Math.floor(Date.now() / 100) % 2_000_000_000, lastCount + 1);
  return lastCount;
}

export const uuid = (): string => randomUUID();

/** Generates a Message-ID in the domain of an address. */
export function idAt(address: string): string {
  return `<${uuid()}@${address.slice(address.lastIndexOf('@') + 1) || 'contacts.example'}>`;
}
