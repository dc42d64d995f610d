import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { generate } from 'selfsigned';
import { settings } from '#server/core/env.ts';

/**
 * The certificate of the mail listener: the one of the settings, else one made now. Other mail servers encrypt
 * opportunistically and check no name (RFC 3207 §4.1), so that one made now keeps listeners out all the same.
 */
export async function smtpCertificate(): Promise<{ cert: string; key: string }> {
  const { INBOUND_SMTP_CERT_FILE, INBOUND_SMTP_KEY_FILE, BASE_URL } = settings();
  if (INBOUND_SMTP_CERT_FILE && INBOUND_SMTP_KEY_FILE) {
    return {
      cert: await readFile(INBOUND_SMTP_CERT_FILE, 'utf8'),
      key: await readFile(INBOUND_SMTP_KEY_FILE, 'utf8'),
    };
  }
  const name = new URL(BASE_URL).hostname || hostname();
  const made = await generate([{ name: 'commonName', value: name }], { keySize: 2048 });
  return { cert: made.cert, key: made.private };
}
