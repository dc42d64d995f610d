// The formatting of a reply or a note: the document of the editor (ProseMirror's JSON), limited to the nodes below. A line of the text is a
// paragraph. The plain text of a document is always computed from it, so the two cannot differ.

/** A bold, italic or monospaced text, or a link to a web address, an email address or a phone number. */
export type FormattedMark =
  | { type: 'bold' }
  | { type: 'italic' }
  | { type: 'code' }
  | { type: 'link'; attrs: { href: string } };
/** A picture is one of the files of the reply or note, by the id of the stored file. `alt`: its name. */
export type FormattedPicture = { type: 'image'; attrs: { fileId: string; alt: string } };
export type FormattedInline =
  | { type: 'text'; text: string; marks?: FormattedMark[] }
  | { type: 'hardBreak' }
  | FormattedPicture;
export type FormattedListItem = { type: 'listItem'; content: FormattedBlock[] };
export type FormattedBlock =
  | { type: 'paragraph'; content?: FormattedInline[] }
  | { type: 'codeBlock'; content?: { type: 'text'; text: string }[] }
  | { type: 'bulletList'; content: FormattedListItem[] }
  | { type: 'orderedList'; attrs: { start: number }; content: FormattedListItem[] };
export type FormattedText = { type: 'doc'; content: FormattedBlock[] };

/** Returns a document of paragraphs, one for each line of a text. */
export function formattedText(text: string): FormattedText {
  const paragraph = (line: string): FormattedBlock =>
    line === '' ? { type: 'paragraph' } : { type: 'paragraph', content: [{ type: 'text', text: line }] };
  return { type: 'doc', content: text.split(/\r\n?|\n/).map(paragraph) };
}

/** Returns the ids of the files that a document shows as pictures. A text without formatting shows none. */
export function pictureIds(formatted: FormattedText | null): string[] {
  return formatted ? formatted.content.flatMap(picturesOf) : [];
}

function picturesOf(block: FormattedBlock): string[] {
  if (block.type === 'codeBlock') return [];
  if (block.type === 'paragraph') {
    return (block.content ?? []).flatMap((inline) => (inline.type === 'image' ? inline.attrs.fileId : []));
  }
  return block.content.flatMap((item) => item.content.flatMap(picturesOf));
}

/** Returns the address of a link among marks. */
export function hrefOf(marks: readonly FormattedMark[] = []): string | undefined {
  return marks.find((mark) => mark.type === 'link')?.attrs.href;
}
