/** From so many on, the characters that are left are shown. */
const NEAR = 500;

/** How much room a text has left, as a sentence when that is little, counted like the server does: in code points. */
export function charactersLeft(text: string, max: number): { sentence: string | null; isTooLong: boolean } {
  // A character is one unit or two, so a short text needs no counting.
  if (text.length < max - NEAR) return { sentence: null, isTooLong: false };
  const left = max - [...text].length;
  if (left > NEAR) return { sentence: null, isTooLong: false };
  const count = Math.abs(left).toLocaleString('en');
  const word = Math.abs(left) === 1 ? 'character' : 'characters';
  return { sentence: `${count} ${word} ${left < 0 ? 'too many' : 'left'}`, isTooLong: left < 0 };
}
