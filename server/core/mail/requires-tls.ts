import { isIPv4 } from 'node:net';

/**
 * Whether mail leaves over TLS alone when a server is named by `smtp://`: it must offer STARTTLS then, as an attacker
 * in between could take the offer away (RFC 3207 §6). Not towards this very machine, and the address can say otherwise:
 * `?requireTLS=false`, or `true`.
 * @param url `SMTP_URL`
 */
export function requiresTls(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const said = searchParams.get('requireTLS');
  return said === null ? !isThisMachine(hostname) : said !== 'false';
}

function isThisMachine(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIPv4(hostname) && hostname.startsWith('127.');
}
