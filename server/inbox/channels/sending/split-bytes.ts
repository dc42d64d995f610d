import { splitText } from '#server/inbox/channels/sending/split-text.ts';

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
