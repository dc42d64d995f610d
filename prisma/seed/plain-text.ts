/** A text as it was typed: paragraphs stay apart, line breaks and indentation of the source within one go. */
export function plainText(source: string): string {
  return source
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .join('\n\n');
}
