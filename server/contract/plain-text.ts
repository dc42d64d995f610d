import {
  type FormattedBlock,
  type FormattedInline,
  type FormattedListItem,
  type FormattedText,
  hrefOf,
} from '#server/contract/formatted-text.ts';

/**
 * Returns the plain text of a document: a line for each paragraph, `- ` or `1. ` before the items of a list, the address of a link in
 * parentheses unless its text is that address, and the name of a picture in brackets.
 */
export function plainText({ content }: FormattedText): string {
  return content.flatMap(linesOf).join('\n');
}

/** Returns whether a document has more than lines of plain text. */
export function hasFormatting({ content }: FormattedText): boolean {
  return content.some(
    (block) =>
      block.type !== 'paragraph' ||
      (block.content ?? []).some(
        (inline) => inline.type === 'image' || (inline.type === 'text' && (inline.marks ?? []).length > 0),
      ),
  );
}

/** Returns the address of a link as a text shows it: without `mailto:` and `tel:`. */
function shownAddress(href: string): string {
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
    const part = textOf(inline);
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

/** Returns the plain text of a part of a line, without the address of a link. */
export function textOf(inline: FormattedInline): string {
  if (inline.type === 'image') return `[${inline.attrs.alt}]`;
  return inline.type === 'text' ? inline.text : '\n';
}

function addressOf(inline: FormattedInline | undefined): string | undefined {
  return inline?.type === 'text' ? hrefOf(inline.marks) : undefined;
}
