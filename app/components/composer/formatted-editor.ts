import { Fragment, type Schema, Slice } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';
import { type Editor, type EditorOptions, type JSONContent, Node } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import type { UploadedFile } from '#app/components/drafts/upload-file.ts';
import {
  type FormattedBlock,
  type FormattedInline,
  type FormattedListItem,
  type FormattedMark,
  type FormattedText,
  formattedText,
} from '#server/screens/inbox/formatted-text.ts';
import { isLinkAddress } from '#server/screens/inbox/is-link-address.ts';
import { plainText } from '#server/screens/inbox/plain-text.ts';

/** A picture, which the editor shows by the address of its file. Pictures of other pages are not pasted. */
const Picture = Node.create<{ srcOf: (fileId: string) => string }>({
  name: 'image',
  group: 'inline',
  inline: true,
  atom: true,
  draggable: true,
  addOptions: () => ({ srcOf: () => '' }),
  addAttributes: () => ({
    fileId: { default: '', parseHTML: (element) => element.getAttribute(FILE_ID) },
    alt: { default: '' },
  }),
  parseHTML() {
    const isOwn = (element: HTMLElement) => this.options.srcOf(element.getAttribute(FILE_ID) ?? '') !== '';
    return [{ tag: `img[${FILE_ID}]`, getAttrs: (element) => (isOwn(element) ? null : false) }];
  },
  renderHTML({ node: { attrs } }) {
    return ['img', { src: this.options.srcOf(attrs.fileId), alt: attrs.alt, [FILE_ID]: attrs.fileId }];
  },
});

const FILE_ID = 'data-file-id';

/** Returns the nodes and marks of `FormattedText`. */
export const extensionsFor = (srcOf: (fileId: string) => string): EditorOptions['extensions'] => [
  StarterKit.configure({
    blockquote: false,
    heading: false,
    horizontalRule: false,
    strike: false,
    trailingNode: false,
    underline: false,
    // A pasted link to anything else is plain text.
    link: {
      autolink: false,
      openOnClick: false,
      isAllowedUri: isLinkAddress,
    },
  }),
  Picture.configure({ srcOf }),
];

/** Copies paragraphs as lines. By default there are blank lines between them. */
export const coreExtensionOptions: NonNullable<EditorOptions['coreExtensionOptions']> = {
  clipboardTextSerializer: { blockSeparator: '\n' },
};

/** Pastes lines as paragraphs. By default blank lines are dropped. */
export const clipboardTextParser: NonNullable<EditorOptions['editorProps']['clipboardTextParser']> = (
  text,
  _context,
  _isPlain,
  view,
) => linesOf(view.state.schema, text);

/** Returns the text of an editor, as drafts and requests have it. */
export function editedText(editor: Editor): { text: string; formatted: FormattedText } {
  const formatted: FormattedText = { type: 'doc', content: (editor.getJSON().content ?? []).map(blockOf) };
  return { text: plainText(formatted), formatted };
}

/** Returns the position in a document of plain lines that an offset in its text has. */
export function placeOf(text: string, offset: number): number {
  // A line break is the end of a paragraph and the start of the next one.
  return 1 + offset + text.slice(0, offset).split('\n').length - 1;
}

/**
 * Returns the text of the paragraph with the caret, in which tokens are completed, and the position where it starts. The caret is null in
 * code and while text is selected. Commands start a text, so a line break precedes each other paragraph.
 */
export function tokenText({ state: { selection } }: Editor): {
  typed: string;
  caret: number | null;
  from: number;
} {
  const { $from, empty } = selection;
  const start = $from.start();
  const before = start === 1 ? '' : '\n';
  const typed = before + $from.parent.textBetween(0, $from.parent.content.size, undefined, '\n');
  const isText = empty && $from.parent.type.name === 'paragraph';
  return { typed, caret: isText ? before.length + $from.parentOffset : null, from: start - before.length };
}

/** Replaces a range, by default the selection, with a text, whose lines become paragraphs. */
export function insertText(editor: Editor, text: string, range?: { from: number; to: number }): void {
  const { state, view } = editor;
  const { from, to } = range ?? state.selection;
  const selected = state.tr.setSelection(TextSelection.create(state.doc, from, to));
  view.dispatch(selected.replaceSelection(linesOf(state.schema, text)).scrollIntoView());
}

/** Inserts pictures at the caret, each in a line of its own. */
export function insertPictures(editor: Editor, files: readonly Pick<UploadedFile, 'id' | 'name'>[]): void {
  const paragraphs = files.map(({ id, name }) => ({
    type: 'paragraph',
    content: [{ type: 'image', attrs: { fileId: id, alt: name } }],
  }));
  editor.chain().focus().insertContent(paragraphs).run();
}

/** The first and the last line join the paragraphs around them. */
function linesOf(schema: Schema, text: string): Slice {
  return new Slice(Fragment.fromJSON(schema, formattedText(text).content), 1, 1);
}

/** Leaves out what the editor adds to nodes. The keys have the order that the server gives them. */
function blockOf(node: JSONContent): FormattedBlock {
  const { type, content = [] } = node;
  if (type === 'bulletList') return { type, content: content.map(itemOf) };
  if (type === 'orderedList') {
    return { type, attrs: { start: Number(node.attrs?.start ?? 1) }, content: content.map(itemOf) };
  }
  if (type === 'codeBlock') {
    return { type, ...some(content.map(({ text = '' }) => ({ type: 'text' as const, text }))) };
  }
  return { type: 'paragraph', ...some(content.map(inlineOf)) };
}

function itemOf({ content = [] }: JSONContent): FormattedListItem {
  return { type: 'listItem', content: content.map(blockOf) };
}

function inlineOf({ type, attrs, text = '', marks = [] }: JSONContent): FormattedInline {
  if (type === 'hardBreak') return { type };
  if (type === 'image') return { type, attrs: { fileId: attrs?.fileId, alt: attrs?.alt } };
  return { type: 'text', text, ...(marks.length > 0 ? { marks: marks.map(markOf) } : {}) };
}

function markOf({ type, attrs }: NonNullable<JSONContent['marks']>[number]): FormattedMark {
  if (type === 'link') return { type, attrs: { href: String(attrs?.href) } };
  return { type: type as 'bold' | 'italic' | 'code' };
}

function some<Node>(content: Node[]): { content?: Node[] } {
  return content.length > 0 ? { content } : {};
}
