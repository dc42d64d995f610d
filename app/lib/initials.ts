/** Returns the initials of the first and last word, or `#` for a phone number. */
export function initials(name: string): string {
  if (/^[+\d\s()-]+$/.test(name)) return '#';
  const words = name.split(/[\s@._-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const first = words.at(0);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [first, last]
    .flatMap((word) => (word ? [Array.from(word)[0] ?? ''] : []))
    .join('')
    .toUpperCase();
}
