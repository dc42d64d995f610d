import { decodeQuotedPrintable } from '#server/inbox/mail-parser/decode-quoted-printable.ts';
import { decodeText } from '#server/inbox/mail-parser/decode-text.ts';
import { headerOf, parseMailHeaders } from '#server/inbox/mail-parser/mail-headers.ts';

/** Limits for the text of a mail that cannot be parsed: UTF-16 units, and lines. */
const TEXT_MAX_LENGTH = 20_000;
const LINES_MAX = 500;

/**
 * Extracts the text of a mail without a MIME parser, in linear time: from the first `text/plain` part, else from HTML
 * without tags.
 * @param head the first bytes of the mail
 * @returns an empty text for other content types
 */
export function plainText(head: Uint8Array): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const whole = partAt(bytes, 0);
  if (whole?.kind.startsWith('multipart/')) return textOf(findTextPart(bytes) ?? null);
  return textOf(whole);
}

type Part = { kind: string; encoding: string; charset: string; body: Buffer };

/** Finds the first part with the content type `text/plain`. */
function findTextPart(bytes: Buffer): Part | undefined {
  const at = bytes.toString('latin1').toLowerCase().indexOf('\ncontent-type: text/plain');
  if (at === -1) return undefined;
  // The headers of a part start after its boundary line.
  const boundary = bytes.lastIndexOf('\n--', at);
  const start = boundary === -1 ? at + 1 : bytes.indexOf('\n', boundary + 1) + 1;
  const part = partAt(bytes, start);
  if (!part) return undefined;
  const end = part.body.indexOf('\n--');
  return end === -1 ? part : { ...part, body: part.body.subarray(0, end) };
}

function partAt(bytes: Buffer, start: number): Part | null {
  const part = bytes.subarray(start);
  const ends = [part.indexOf('\n\n'), part.indexOf('\n\r\n')].filter((end) => end !== -1);
  if (ends.length === 0) return null;
  const end = Math.min(...ends);
  const headers = parseMailHeaders(part.subarray(0, end));
  const type = (headerOf(headers, 'content-type') ?? 'text/plain').slice(0, 500).toLowerCase();
  return {
    kind: type.split(';', 1)[0]?.trim() ?? '',
    charset: /charset="?([\w-]{1,40})/.exec(type)?.[1] ?? 'utf-8',
    encoding: (headerOf(headers, 'content-transfer-encoding') ?? '').slice(0, 50).trim().toLowerCase(),
    body: part.subarray(end).subarray(0, 4 * TEXT_MAX_LENGTH),
  };
}

function textOf(part: Part | null): string {
  if (part?.kind !== 'text/plain' && part?.kind !== 'text/html') return '';
  const text = decode(part).slice(0, 2 * TEXT_MAX_LENGTH);
  const plain = part.kind === 'text/html' ? text.replaceAll(/<[^<>]*>?/g, ' ') : text;
  const lines = plain.split('\n').map((line) => line.trimEnd());
  const shown = lines.filter((line, at) => line.trim() !== '' || (lines[at - 1] ?? '').trim() !== '');
  return shown.slice(0, LINES_MAX).join('\n').trim().slice(0, TEXT_MAX_LENGTH);
}

function decode({ encoding, charset, body }: Part): string {
  const bytes = encoding === 'base64' ? Buffer.from(body.toString('latin1'), 'base64') : body;
  return decodeText(encoding === 'quoted-printable' ? decodeQuotedPrintable(bytes) : bytes, charset);
}
