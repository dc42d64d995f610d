import { isIP } from 'node:net';
import { stringify as uuidText } from 'uuid';
import { settings } from '#server/core/env.ts';
import { parseSigned, signedAddress } from '#server/inbox/channels/email/signed-address.ts';

/**
 * Returns the host to which MX records point and in which forwarding addresses end, or null when the service has no
 * listener for email, or only an IP address.
 */
export function inboundHost(): string | null {
  const { INBOUND_SMTP_PORT, INBOUND_MAIL_HOST, BASE_URL } = settings();
  if (INBOUND_SMTP_PORT === undefined) return null;
  const host = INBOUND_MAIL_HOST ?? new URL(BASE_URL).hostname;
  return host.startsWith('[') || isIP(host) ? null : host;
}

/**
 * Returns the address at this service to which another mail server can forward a mailbox's email. It is not signed, so
 * that a new SESSION_SECRET does not break it; a mailbox's own address is public, too.
 */
export function forwardingAddress(mailboxId: string): string | null {
  const host = inboundHost();
  return host && `forward+${mailboxId.replaceAll('-', '')}@${host}`;
}

const FORWARDING = /^forward\+([0-9a-f]{32})@([^@]{1,253})$/;

/**
 * Returns the mailbox id of a forwarding address, or undefined for other addresses.
 * @param address lowercase
 */
export function parseForwardingAddress(address: string): string | undefined {
  const [, id, host] = FORWARDING.exec(address) ?? [];
  return id !== undefined && host === inboundHost() ? uuidText(Buffer.from(id, 'hex')) : undefined;
}

/** Returns the Message-ID by which a mailbox's test email is recognized. It stands in References, as relays may change Message-ID. */
export function testMailReference(mailboxId: string): string {
  return `<${signedAddress('test', mailboxId, 'test.invalid')}>`;
}

/** Returns the mailbox ids of the test emails among Message-IDs. */
export function parseTestMailReferences(references: string[]): string[] {
  return references.flatMap((reference) => {
    const parsed = parseSigned(reference.replaceAll(/[<>]/g, ''), ['test']);
    return typeof parsed === 'object' ? parsed.id : [];
  });
}
