/** Where a long text is best divided, best first: between paragraphs, lines, sentences, words. */
const BREAKS = [/\n[^\S\n]*\n/g, /\n/g, /[.!?…。！？]["'”’)\]]*\s/g, /\s/g];
/** A part is at least so long of what it may be, so that one early break does not make many short parts. */
const LEAST_SHARE = 0.5;

/**
 * Divides a text into parts that a provider takes, at lines or sentences where it can. Nothing is lost but white space at
 * the ends of parts, and no character is divided.
 * @param maxLength in UTF-16 code units
 */
export function splitText(text: string, maxLength: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > maxLength) {
    const at = findBreak(rest, maxLength);
    parts.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  if (rest !== '' || parts.length === 0) parts.push(rest);
  return parts;
}

function findBreak(text: string, maxLength: number): number {
  const head = text.slice(0, maxLength + 1);
  for (const pattern of BREAKS) {
    const at = lastEnd(head, pattern, maxLength);
    if (at >= maxLength * LEAST_SHARE) return at;
  }
  // No break at all: between two characters, not within one.
  const isHigh = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1));
  return isHigh ? maxLength - 1 : maxLength;
}

/** Where the last break ends whose text before it fits; white space of a break may lie beyond. */
function lastEnd(head: string, pattern: RegExp, maxLength: number): number {
  let last = 0;
  for (const { 0: found, index } of head.matchAll(pattern)) {
    const end = index + found.length;
    if (index + found.trimEnd().length > maxLength) break;
    last = end;
  }
  return last;
}

/**
 * Divides a text as `splitText` does, for a provider that counts bytes of UTF-8.
 * @param maxBytes at least 100
 */
export function splitBytes(text: string, maxBytes: number): string[] {
  return divide(text, maxBytes, maxBytes);
}

function divide(text: string, maxBytes: number, maxLength: number): string[] {
  return splitText(text, maxLength).flatMap((part) => {
    const bytes = Buffer.byteLength(part);
    return bytes <= maxBytes
      ? [part]
      : divide(part, maxBytes, Math.floor(Math.min(part.length * (maxBytes / bytes), part.length - 1)));
  });
}
