/** Whether PostgreSQL and JSON can hold a text unchanged: no U+0000, no lone surrogate (decisions: values, 5). */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
