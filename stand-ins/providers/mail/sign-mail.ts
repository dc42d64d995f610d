import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { isContactName } from '../dns/own-names.ts';

/** DKIM key of the contacts' mail servers. `privateKey` is PEM, `publicKey` SubjectPublicKeyInfo in base64. */
export type SigningKey = { privateKey: string; publicKey: string };

export const DKIM_SELECTOR = 'standin';

/** Creates the key, new at each start: its record is answered from memory, too. */
export async function makeSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKey, publicKey: publicKey.toString('base64') };
}

/** Returns nodemailer's option that signs a mail from a domain of the contacts. */
export function signatureOf({ privateKey }: SigningKey, domain: string) {
  return isContactName(domain)
    ? { dkim: { domainName: domain, keySelector: DKIM_SELECTOR, privateKey } }
    : {};
}
