import { createHash } from 'node:crypto';
import { digest, newSecret } from '#server/core/secrets.ts';

/** What a visitor's token begins with; the log cuts off whatever follows. */
const VISITOR_PREFIX = 'kzv_';

const FORM = /^kzv_[0-9A-Za-z]{43}$/;

/** A new token: 32 random bytes after the prefix. It is sent once, to the browser that keeps it. */
export function newVisitorToken(): string {
  return newSecret(VISITOR_PREFIX);
}

/** The only form in which a visitor's token is stored or looked up; undefined for what can be none. */
export function visitorTokenHash(token: string): Uint8Array<ArrayBuffer> | undefined {
  return FORM.test(token) ? digest(token) : undefined;
}

/**
 * The prefix of the ids that a visitor's browser gives its messages: no one else's begins so. So a message sent
 * again is known as the same only to its sender, and a visitor's own messages are distinguished from others.
 */
export function messagePrefix(tokenHash: Uint8Array): string {
  const tag = createHash('sha256').update('webchat message').update(tokenHash).digest('hex').slice(0, 32);
  return `webchat:${tag}:`;
}
