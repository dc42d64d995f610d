/**
 * Returns what tags are compared by: the same for canonically equivalent text, in upper or lower case
 * (docs/rulings.md 3.31). Lower-casing comes first, because it can produce text that is not in NFC.
 */
export function tagKey(tag: string): string {
  return tag.toLowerCase().normalize('NFC');
}
