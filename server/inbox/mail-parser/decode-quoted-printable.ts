/** Decodes quoted-printable (RFC 2045 §6.7), and keeps line endings. */
export function decodeQuotedPrintable(body: Uint8Array): Uint8Array {
  const decoded = Buffer.alloc(body.byteLength);
  let length = 0;
  for (let at = 0; at < body.byteLength; at += 1) {
    const softBreak = body[at] === EQUALS ? softBreakEnd(body, at + 1) : undefined;
    if (softBreak !== undefined) {
      at = softBreak;
      continue;
    }
    const byte = body[at] === EQUALS ? escapedByte(body, at + 1) : undefined;
    decoded[length] = byte ?? body[at] ?? 0;
    length += 1;
    if (byte !== undefined) at += 2;
  }
  return decoded.subarray(0, length);
}

const EQUALS = 0x3d;

/** Returns the position of the line feed if only white space stands before it, on the way of some servers. */
function softBreakEnd(body: Uint8Array, start: number): number | undefined {
  let at = start;
  while (body[at] === 0x20 || body[at] === 0x09 || body[at] === 0x0d) at += 1;
  return body[at] === 0x0a || at === body.byteLength ? at : undefined;
}

function escapedByte(body: Uint8Array, at: number): number | undefined {
  const high = HEX.indexOf(String.fromCharCode(body[at] ?? 0).toUpperCase());
  const low = HEX.indexOf(String.fromCharCode(body[at + 1] ?? 0).toUpperCase());
  return high < 0 || low < 0 ? undefined : high * 16 + low;
}

const HEX = '0123456789ABCDEF';
