/** What replaces a character that cannot be kept, as everywhere in Unicode. */
const REPLACEMENT = '\ufffd';

/**
 * A text from outside as it can be kept, as a contact's words are never refused: U+0000 and halves of characters are
 * replaced (decisions: values, 5), and what is too long is cut, where `cutNote` then says so.
 * @param maxLength in Unicode code points, the note not counted
 */
export function truncateText(text: string, maxLength: number, cutNote = ''): string {
  // No more than can matter, before it is taken apart: a code point is two units at most.
  const units = text
    .slice(0, 2 * (maxLength + 1))
    .toWellFormed()
    .replaceAll('\0', REPLACEMENT);
  const points = [...units];
  return points.length > maxLength ? `${points.slice(0, maxLength).join('')}${cutNote}` : units;
}
