import { isAscii, isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** Bytes at the start of an HTML page in which its charset is searched, as browsers do. */
const META_SCAN_BYTES = 1024;
const LABEL_MAX_LENGTH = 40;

/** Charset names in mails that mean another charset. Empty: no charset. */
const ALIASES: Readonly<Record<string, string>> = {
  ascii: '',
  'us-ascii': '',
  'ansi_x3.4-1968': '',
  'unknown-8bit': '',
  default: '',
  binary: '',
  utf: 'utf-8',
  cp65001: 'utf-8',
  utf8mb4: 'utf-8',
};

/**
 * Decodes the text of a part. Without a charset, or with one that says only ASCII, the bytes decide: UTF-8, else
 * windows-1252. Knows the charsets of browsers (WHATWG) and those of iconv-lite, such as cp437 and UTF-7.
 * @param charset the parameter of the Content-Type; of HTML without one, `<meta charset>` counts
 * @returns the text, after a note if nobody knows the charset and the text has more than ASCII
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined, { isHtml = false } = {}): string {
  const label = cleanLabel(charset) || (isHtml ? cleanLabel(metaCharset(bytes)) : '');
  const text = label === '' ? undefined : decodeLabelled(bytes, trueLabel(bytes, label));
  if (text !== undefined) return text;
  const read = decodeUnlabelled(bytes);
  return label === '' || isAscii(bytes)
    ? read
    : `[The characters of this text are in “${label}”, which cannot be read: some may be wrong.]\n\n${read}`;
}

/**
 * Returns bytes of a header as UTF-8. Headers may have only ASCII or UTF-8 (RFC 6532); old programs write raw bytes in the
 * charset of the text.
 */
export function headerAsUtf8(bytes: Uint8Array, charset: string): Uint8Array {
  if (isUtf8(bytes)) return bytes;
  return Buffer.from(decodeLabelled(bytes, charset) ?? decodeUnlabelled(bytes));
}

/** Returns the first charset that a mail names and that is not UTF-8, else windows-1252: that of its raw headers. */
export function headerCharset(head: Uint8Array): string {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const label = cleanLabel(/charset\s*=\s*"?([\w.:-]{1,40})/i.exec(text)?.[1]);
  return label === '' || /^utf-?8$/.test(label) ? 'windows-1252' : label;
}

/**
 * Returns the charset of a text. Forms of websites often name `utf-8` for a text in windows-1252, or `iso-8859-1` for one in
 * UTF-8. Bytes that are valid UTF-8 are hardly ever another text.
 */
function trueLabel(bytes: Uint8Array, label: string): string {
  if (/^iso-8859-15?$/.test(label)) return isUtf8(bytes) ? 'utf-8' : label;
  if (!/^utf-?8$/.test(label) || isUtf8(bytes)) return label;
  const hasUtf8 = /[^\0-\x7f\ufffd]/.test(new TextDecoder().decode(bytes));
  return hasUtf8 ? label : 'windows-1252';
}

function decodeUnlabelled(bytes: Uint8Array): string {
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

function decodeLabelled(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    const name = [
      label,
      label.replace(/^(?:x-|cs)/, ''),
      label.replace(/^(?:ibm|dos|x-cp|windows)-?(?=\d)/, 'cp'),
    ].find((each) => iconv.encodingExists(each));
    return name === undefined ? undefined : iconv.decode(bytes, name);
  }
}

function cleanLabel(charset: string | undefined): string {
  const label = (charset ?? '')
    .slice(0, LABEL_MAX_LENGTH)
    .trim()
    .toLowerCase()
    .replaceAll(/["'\s]/g, '');
  return ALIASES[label] ?? label;
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, META_SCAN_BYTES));
  return /<meta[^>]{0,200}charset\s*=[\s"']*([\w.:-]{1,40})/i.exec(head.toString('latin1'))?.[1];
}
