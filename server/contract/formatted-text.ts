// The formatting of a reply or a note: the document of the editor (ProseMirror's JSON), limited to the nodes below. A line of the text is a
// paragraph. The plain text of a document is always computed from it, so the two cannot differ.

/** A bold, italic or monospaced text, or a link to a web address, an email address or a phone number. */
export type FormattedMark =
  | { type: 'bold' }
  | { type: 'italic' }
  | { type: 'code' }
  | { type: 'link'; attrs: { href: string } };
export type FormattedInline = { type: 'text'; text: string; marks?: FormattedMark[] } | { type: 'hardBreak' };
export type FormattedListItem = { type: 'listItem'; content: FormattedBlock[] };
export type FormattedBlock =
  | { type: 'paragraph'; content?: FormattedInline[] }
  | { type: 'codeBlock'; content?: { type: 'text'; text: string }[] }
  | { type: 'bulletList'; content: FormattedListItem[] }
  | { type: 'orderedList'; attrs: { start: number }; content: FormattedListItem[] };
export type FormattedText = { type: 'doc'; content: FormattedBlock[] };

/**
 * Returns the plain text of a document: a line for each paragraph, `- ` or `1. ` before the items of a list, and the address of a link in
 * parentheses unless its text is that address.
 */
export function plainText({ content }: FormattedText): string {
  return content.flatMap(linesOf).join('\n');
}

/** Returns a document of paragraphs, one for each line of a text. */
export function formattedText(text: string): FormattedText {
  const paragraph = (line: string): FormattedBlock =>
    line === '' ? { type: 'paragraph' } : { type: 'paragraph', content: [{ type: 'text', text: line }] };
  return { type: 'doc', content: text.split(/\r\n?|\n/).map(paragraph) };
}

/** Returns whether a document has more than lines of plain text. */
export function hasFormatting({ content }: FormattedText): boolean {
  return content.some(
    (block) =>
      block.type !== 'paragraph' ||
      (block.content ?? []).some((inline) => inline.type === 'text' && (inline.marks ?? []).length > 0),
  );
}

/** Returns the address of a link as a text shows it: without `mailto:` and `tel:`. */
export function shownAddress(href: string): string {
  return href.replace(/^(mailto|tel):/i, '');
}

function linesOf(block: FormattedBlock): string[] {
  switch (block.type) {
    case 'paragraph':
      return inlineText(block.content ?? []).split('\n');
    case 'codeBlock':
      return (block.content ?? [])
        .map(({ text }) => text)
        .join('')
        .split('\n');
    case 'bulletList':
      return block.content.flatMap((item) => itemLines(item, '- '));
    case 'orderedList':
      return block.content.flatMap((item, index) => itemLines(item, `${block.attrs.start + index}. `));
  }
}

/** Indents the further lines of an item like its first. */
function itemLines({ content }: FormattedListItem, mark: string): string[] {
  const indent = ' '.repeat(mark.length);
  return content.flatMap(linesOf).map((line, index) => {
    if (index === 0) return `${mark}${line}`;
    return line === '' ? '' : `${indent}${line}`;
  });
}

/** Adds the address of each link. A link that is partly bold has several parts. */
function inlineText(inlines: readonly FormattedInline[]): string {
  let text = '';
  let linked = '';
  inlines.forEach((inline, index) => {
    const part = inline.type === 'text' ? inline.text : '\n';
    const href = addressOf(inline);
    text += part;
    linked = href === undefined ? '' : linked + part;
    if (href === undefined || addressOf(inlines[index + 1]) === href) return;
    const shown = shownAddress(href);
    if (![href, shown].includes(linked.trim())) text += ` (${shown})`;
    linked = '';
  });
  return text;
}

function addressOf(inline: FormattedInline | undefined): string | undefined {
  return inline?.type === 'text' ? hrefOf(inline.marks) : undefined;
}

/** Returns the address of a link among marks. */
export function hrefOf(marks: readonly FormattedMark[] = []): string | undefined {
  return marks.find((mark) => mark.type === 'link')?.attrs.href;
}
