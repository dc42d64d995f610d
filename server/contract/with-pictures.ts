import type { FormattedBlock, FormattedInline, FormattedText } from '#server/contract/formatted-text.ts';
import { textOf } from '#server/contract/plain-text.ts';

/**
 * Returns a document whose pictures are all among the given files: others become their name in brackets. The plain text stays the same.
 * Recurses as deep as the schema of documents allows.
 */
export function withPictures({ content, ...rest }: FormattedText, fileIds: readonly string[]): FormattedText {
  const shown = new Set(fileIds);
  return { ...rest, content: content.map((block) => blockWith(block, shown)) };
}

function blockWith(block: FormattedBlock, shown: ReadonlySet<string>): FormattedBlock {
  switch (block.type) {
    case 'codeBlock':
      return block;
    case 'paragraph':
      return block.content
        ? { ...block, content: block.content.map((inline) => inlineWith(inline, shown)) }
        : block;
    default: {
      const items = block.content.map((item) => ({
        ...item,
        content: item.content.map((part) => blockWith(part, shown)),
      }));
      return { ...block, content: items };
    }
  }
}

function inlineWith(inline: FormattedInline, shown: ReadonlySet<string>): FormattedInline {
  if (inline.type !== 'image' || shown.has(inline.attrs.fileId)) return inline;
  return { type: 'text', text: textOf(inline) };
}
