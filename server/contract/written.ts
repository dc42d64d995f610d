import { type FormattedBlock, type FormattedText, formattedText } from '#server/contract/formatted-text.ts';

/** A text, and its formatting if it has any. `text` is the plain text of `formatted` then. */
export type Written = { text: string; formatted: FormattedText | null };

/** Joins texts as paragraphs, without blank ones. */
export function joinWritten(parts: readonly Written[]): Written {
  const written = parts.filter(({ text }) => text.trim() !== '');
  const last = written.at(-1);
  const texts = written.map((part) => (part === last ? part.text : part.text.trimEnd()));
  const formatted = written.some((part) => part.formatted) ? written.flatMap(blocksOf) : null;
  return { text: texts.join('\n\n'), formatted: formatted && { type: 'doc', content: formatted } };
}

/** Returns whether two texts are the same, with their formatting. Its nodes have their keys in one order. */
export function isSameWriting(one: Written, other: Written): boolean {
  const [formatted, another] = [one, other].map((each) => each.formatted && JSON.stringify(each.formatted));
  return formatted || another ? formatted === another : one.text === other.text;
}

function blocksOf({ text, formatted }: Written, place: number): FormattedBlock[] {
  const blocks = (formatted ?? formattedText(text)).content;
  return place === 0 ? blocks : [{ type: 'paragraph' }, ...blocks];
}
