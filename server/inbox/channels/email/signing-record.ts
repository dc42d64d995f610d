/** What the owner of a domain puts into its DNS so that signed mail can be checked. */
type SigningRecord = { type: 'TXT'; name: string; value: string };

/** The record of a key (RFC 6376 §3.6.1). `publicKey`: SubjectPublicKeyInfo in base64. */
export function signingRecord(key: { domain: string; selector: string; publicKey: string }): SigningRecord {
  return {
    type: 'TXT',
    name: `${key.selector}._domainkey.${key.domain}`,
    value: `v=DKIM1; k=rsa; p=${key.publicKey}`,
  };
}

/** Whether a record in the DNS holds the key; tags may come in any order and with spaces (RFC 6376 §3.2). */
export function holdsKey(text: string, publicKey: string): boolean {
  const tags = new Map(
    text.split(';').map((tag): [string, string] => {
      const at = tag.indexOf('=');
      return [tag.slice(0, at).trim(), tag.slice(at + 1).replaceAll(/\s/g, '')];
    }),
  );
  const version = tags.get('v');
  const kind = tags.get('k');
  return (
    (version === undefined || version === 'DKIM1') &&
    (kind === undefined || kind === 'rsa') &&
    tags.get('p') === publicKey
  );
}
