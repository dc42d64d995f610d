import { BYTES_PER_LINE, DASH_LINES_MAX, LINES_MAX } from '#server/inbox/mail-parser/mail-limits.ts';

const LINE_FEED = 0x0a;
const DASH = 0x2d;

/**
 * Checks the number of lines and MIME parts before any parser runs: a parser can need 1 GB for 2 MB of nearly empty
 * lines. Every line that starts with two dashes counts as a part, as a boundary can be written in many ways.
 * @returns the reason to reject the mail, or null
 */
export function checkMailShape(raw: Uint8Array): 'too_many_lines' | 'too_many_parts' | null {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const linesMax = LINES_MAX + bytes.length / BYTES_PER_LINE;
  let lines = 0;
  let dashLines = 0;
  for (let start = 0; start < bytes.length; ) {
    lines += 1;
    if (bytes[start] === DASH && bytes[start + 1] === DASH) dashLines += 1;
    if (lines > linesMax) return 'too_many_lines';
    if (dashLines > DASH_LINES_MAX) return 'too_many_parts';
    const end = bytes.indexOf(LINE_FEED, start);
    if (end === -1) break;
    start = end + 1;
  }
  return null;
}
