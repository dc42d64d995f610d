import { generate } from 'selfsigned';

/** Key and certificate of the hook receiver, and the CA certificate that clients must trust, as PEM. */
export type Certificate = { key: string; cert: string; authority: string };

const ONE_DAY_MS = 24 * 60 * 60 * 1_000;
const common = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** Creates a CA and a certificate for one host. The CA's key is discarded. */
export async function makeCertificate(host: string, now = new Date()): Promise<Certificate> {
  const validity = {
    notBeforeDate: new Date(now.getTime() - ONE_DAY_MS),
    notAfterDate: new Date(now.getTime() + 365 * ONE_DAY_MS),
  };
  const authority = await generate([{ name: 'commonName', value: 'Stand-in platform authority' }], {
    ...common,
    ...validity,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: 'commonName', value: host }], {
    ...common,
    ...validity,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
  });
  return { key: leaf.private, cert: leaf.cert, authority: authority.cert };
}
