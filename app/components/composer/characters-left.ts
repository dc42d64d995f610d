/** The counter appears when this many characters or fewer remain. */
const SHOWN_FROM = 500;

/** Returns the remaining length as a sentence, or null far from the limit. Counts code points, like the server. */
export function charactersLeft(text: string, max: number): { sentence: string | null; isTooLong: boolean } {
  // A code point is one or two UTF-16 units, so a short text needs no counting.
  if (text.length < max - SHOWN_FROM) return { sentence: null, isTooLong: false };
  const left = max - [...text].length;
  if (left > SHOWN_FROM) return { sentence: null, isTooLong: false };
  const count = Math.abs(left).toLocaleString('en');
  const word = Math.abs(left) === 1 ? 'character' : 'characters';
  return { sentence: `${count} ${word} ${left < 0 ? 'too many' : 'left'}`, isTooLong: left < 0 };
}
