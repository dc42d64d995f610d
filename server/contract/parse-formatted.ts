import { z } from 'zod';
import type {
  FormattedBlock,
  FormattedInline,
  FormattedMark,
  FormattedText,
} from '#server/contract/formatted-text.ts';
import { isLinkAddress } from '#server/contract/is-link-address.ts';
import { hasFormatting, plainText } from '#server/contract/plain-text.ts';
import { isStorableText } from '#server/core/text.ts';

/** Maximum depth of nodes: marks of a text in eight lists inside each other. */
const DEPTH_MAX = 19;
/** Maximum number of nodes and marks of a document. */
const NODES_MAX = 20_000;
const NAME_MAX_LENGTH = 500;

const mark = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bold') }),
  z.object({ type: z.literal('italic') }),
  z.object({ type: z.literal('code') }),
  z.object({
    type: z.literal('link'),
    attrs: z.object({
      href: z.string().refine(isLinkAddress).refine(isStorableText),
    }),
  }),
]) satisfies z.ZodType<FormattedMark>;

/** Text of at most `NODES_MAX` characters is far above every limit, which the plain text is compared with. */
const text = z.string().min(1).refine(isStorableText);
const inline = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text, marks: z.array(mark).max(4).exactOptional() }),
  z.object({ type: z.literal('hardBreak') }),
  z.object({
    type: z.literal('image'),
    attrs: z.object({ fileId: z.uuid(), alt: z.string().max(NAME_MAX_LENGTH).refine(isStorableText) }),
  }),
]) satisfies z.ZodType<FormattedInline>;

const block: z.ZodType<FormattedBlock> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('paragraph'), content: z.array(inline).exactOptional() }),
  z.object({
    type: z.literal('codeBlock'),
    content: z.array(z.object({ type: z.literal('text'), text })).exactOptional(),
  }),
  z.object({
    type: z.literal('bulletList'),
    get content() {
      return z.array(listItem).min(1);
    },
  }),
  z.object({
    type: z.literal('orderedList'),
    attrs: z.object({ start: z.int().min(0).max(1_000_000).catch(1) }).catch({ start: 1 }),
    get content() {
      return z.array(listItem).min(1);
    },
  }),
]);
const listItem = z.object({
  type: z.literal('listItem'),
  get content() {
    return z.array(block).min(1);
  },
});
const document = z.object({ type: z.literal('doc'), content: z.array(block) });

/**
 * Schema of a formatted text that a screen sends, without what the editor adds to it. Refuses other nodes, links that are no web, email or
 * phone addresses, and too many nodes. The function that changes the domain compares the plain text with its limit.
 */
export const formattedInput: z.ZodType<FormattedText> = z
  .unknown()
  .refine(isBounded, { abort: true, error: 'The text has too much formatting. Remove some of it.' })
  .pipe(document);

/** Returns the formatting that a column contains; null if this version does not know a part of it. */
export function storedFormatted(column: unknown): FormattedText | null {
  return document.safeParse(column).data ?? null;
}

/** A text with its formatting, or null if it has none. */
export type Written = { content: string; formatted: FormattedText | null };

/** Returns the text of what a screen sent: that of the formatting, if there is any. */
export function writtenText({
  content,
  formatted,
}: {
  content: string;
  formatted?: FormattedText | null | undefined;
}): Written {
  if (!formatted) return { content, formatted: null };
  return { content: plainText(formatted), formatted: hasFormatting(formatted) ? formatted : null };
}

/** Counts without recursion: the schema may only recurse into a value of bounded depth. */
function isBounded(value: unknown): boolean {
  let nodes = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    if (depth > DEPTH_MAX || nodes > NODES_MAX) return false;
    level = level.flatMap((node) => [...partsOf(node, 'content'), ...partsOf(node, 'marks')]);
  }
  return true;
}

function partsOf(node: unknown, key: 'content' | 'marks'): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  const parts = (node as Record<string, unknown>)[key];
  return Array.isArray(parts) ? parts : [];
}
