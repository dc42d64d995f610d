/** Preferred positions to split, best first: between paragraphs, lines, sentences, words. */
const BREAKS = [/\n[^\S\n]*\n/g, /\n/g, /[.!?…。！？]["'”’)\]]*\s/g, /\s/g];
/** Minimum length of a part as a share of the maximum, to avoid many short parts. */
const MIN_SHARE = 0.5;

/**
 * Splits a text into parts of limited length, at lines or sentences where possible. Only white space at the ends of
 * parts is lost, and no surrogate pair is split.
 * @param maxLength in UTF-16 units
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
    if (at >= maxLength * MIN_SHARE) return at;
  }
  // Without any break: split between characters, not within a surrogate pair.
  const isHigh = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1));
  return isHigh ? maxLength - 1 : maxLength;
}

/** Returns the end of the last break whose preceding text fits; its white space may exceed the limit. */
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
 * Splits a text like `splitText`, for a provider that counts UTF-8 bytes.
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
