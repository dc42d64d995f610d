/**
 * Returns the comparison key of a tag, which ignores case and Unicode composition (docs/rulings.md 3.31). Lower-casing
 * comes first, because it can produce text that is not in NFC.
 */
export function tagKey(tag: string): string {
  return tag.toLowerCase().normalize('NFC');
}
