/** Joins the lines of each paragraph and removes the indentation of the source. */
export function plainText(source: string): string {
  return source
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .join('\n\n');
}
