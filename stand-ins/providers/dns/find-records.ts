import { DEMO_MAILBOXES } from '../mail/demo-mailboxes.ts';
import { DKIM_SELECTOR } from '../mail/sign-mail.ts';
import type { Providers } from '../providers.ts';
import type { DnsRecord } from './dns-message.ts';
import { isContactName } from './own-names.ts';

/** Domains of the demo workspaces' mailboxes. Their MX records point to the service. */
const DEMO_DOMAINS = new Set(DEMO_MAILBOXES.map(domainOf));

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/**
 * Returns the records of a name, or undefined when it has none: those that were added, the addresses of this machine, the MX
 * records of the demo workspaces, and DKIM and DMARC of the contacts' domains.
 */
export function findRecords(
  { settings, state }: Pick<Providers, 'settings' | 'state'>,
  name: string,
): DnsRecord[] | undefined {
  const records = state.dns.records.filter((record) => record.name === name);
  const add = (type: DnsRecord['type'], value: string) => records.push({ type, name, value });
  if (name === 'localhost') {
    add('A', '127.0.0.1');
    add('AAAA', '::1');
  }
  if (DEMO_DOMAINS.has(name)) add('MX', `10 ${new URL(settings.serviceUrl).hostname}`);
  if (isContactName(name)) {
    if (name.startsWith(`${DKIM_SELECTOR}._domainkey.`)) {
      add('TXT', `v=DKIM1; k=rsa; p=${state.mail.signing.publicKey}`);
    }
    if (name.startsWith('_dmarc.')) add('TXT', 'v=DMARC1; p=reject');
  }
  return records.length > 0 ? records : undefined;
}

/** Returns whether the MX records of an address's domain point to the service, or its domain is the service's host. */
export function leadsToService(providers: Pick<Providers, 'settings' | 'state'>, address: string): boolean {
  const { hostname } = new URL(providers.settings.serviceUrl);
  const domain = domainOf(address);
  const records = findRecords(providers, domain) ?? [];
  return (
    domain === hostname || records.some(({ type, value }) => type === 'MX' && value.endsWith(` ${hostname}`))
  );
}
