import { ContentInfo, id_envelopedData, id_signedData, SignedData } from '@peculiar/asn1-cms';
import { AsnConvert } from '@peculiar/asn1-schema';
import { fromBER, OctetString } from 'asn1js';

/** Content of a CMS structure (RFC 5652) in a mail: a signed MIME entity, or one that only its recipients can read. */
type Secured = { kind: 'signed'; content: Uint8Array } | { kind: 'encrypted' } | { kind: 'unknown' };

/**
 * Reads the content of `application/pkcs7-mime`. A signature is not checked: what it signs needs no key to be read. A signed
 * document, such as an invoice `invoice.xml.p7m` (CAdES), is no MIME entity and `unknown`.
 */
export function readSecured(bytes: Uint8Array): Secured {
  try {
    const info = AsnConvert.parse(bytes, ContentInfo);
    if (info.contentType === id_envelopedData || info.contentType === AUTH_ENVELOPED)
      return { kind: 'encrypted' };
    if (info.contentType !== id_signedData) return { kind: 'unknown' };
    const { encapContentInfo } = AsnConvert.parse(info.content, SignedData);
    const { single, any } = encapContentInfo.eContent ?? {};
    const content = single?.buffer ?? (any && joinChunks(any));
    return content && isEntity(content)
      ? { kind: 'signed', content: new Uint8Array(content) }
      : { kind: 'unknown' };
  } catch {
    return { kind: 'unknown' };
  }
}

/** Returns whether bytes start with MIME headers that include Content-Type. */
function isEntity(content: ArrayBuffer): boolean {
  const start = Buffer.from(content, 0, Math.min(content.byteLength, 4_096)).toString('latin1');
  const [headers = ''] = start.split(/\r?\n\r?\n/, 1);
  return /^[\w-]+:/.test(headers) && /^content-type:/im.test(headers);
}

const AUTH_ENVELOPED = '1.2.840.113549.1.9.16.1.23';

/** Joins a content that was written in chunks (BER), as streaming programs do. */
function joinChunks(element: ArrayBuffer): ArrayBuffer | undefined {
  const { result } = fromBER(element);
  return result instanceof OctetString ? result.getValue() : undefined;
}
