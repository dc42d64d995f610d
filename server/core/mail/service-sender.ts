import { isIP } from 'node:net';
import { settings } from '#server/core/env.ts';

/**
 * Whom mail is from that the service itself writes: `MAIL_FROM`, else `no-reply` at the host of `BASE_URL`. No one
 * reads the responses.
 */
export function serviceSender(): { name: string; address: string } {
  const { SERVICE_NAME, MAIL_FROM, BASE_URL } = settings();
  return { name: SERVICE_NAME, address: MAIL_FROM ?? `no-reply@${mailDomain(BASE_URL)}` };
}

/** A number is no domain that mail could come from; a trial under an IP address gets `localhost`. */
function mailDomain(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return hostname.startsWith('[') || isIP(hostname) ? 'localhost' : hostname;
}
