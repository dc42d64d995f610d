/** A header of a mail, its name in lowercase, its value unfolded (RFC 5322 §2.2.3). */
export type MailHeader = { key: string; value: string };

/** How much of a mail is read for its headers, in bytes, and how many of them. */
const HEADERS_MAX_BYTES = 256 * 1024;
const HEADERS_MAX = 2_000;

/**
 * The headers of a mail, read without parsing it: of one that does not end in time they are all there is. Takes as many
 * steps as the bytes it looks at.
 */
export function parseMailHeaders(raw: Uint8Array): MailHeader[] {
  const lines = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, HEADERS_MAX_BYTES))
    .toString('latin1')
    .split('\n');
  const headers: { key: string; parts: string[] }[] = [];
  for (const line of lines) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text === '') break;
    if (text.startsWith(' ') || text.startsWith('\t')) {
      headers.at(-1)?.parts.push(text.trim());
      continue;
    }
    if (headers.length === HEADERS_MAX) break;
    const colon = text.indexOf(':');
    if (colon > 0) {
      headers.push({ key: text.slice(0, colon).trim().toLowerCase(), parts: [text.slice(colon + 1).trim()] });
    }
  }
  return headers.map(({ key, parts }) => ({ key, value: parts.join(' ') }));
}

/** The first header of a name, in lowercase; undefined when there is none. */
export function headerOf(headers: readonly MailHeader[], key: string): string | undefined {
  return headers.find((header) => header.key === key)?.value;
}
