import { type Editor, EditorContent, useEditor } from '@tiptap/react';
import {
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  clipboardTextParser,
  coreExtensionOptions,
  editedText,
  extensionsFor,
  insertPictures,
  insertText,
  placeOf,
  tokenText,
} from '#app/components/composer/formatted-editor.ts';
import { FormattingBar } from '#app/components/composer/formatting-bar.tsx';
import { type BoxProps, onBoxKey, Suggested } from '#app/components/composer/text-box.tsx';
import { usePrefetchReplies } from '#app/components/composer/use-offered-replies.ts';
import { optionId, useSuggestions } from '#app/components/composer/use-suggestions.ts';
import type { ChangeFiles, DraftFile } from '#app/components/drafts/composer-state.ts';
import { toast } from '#app/components/ui/toast.ts';
import { type FormattedText, pictureIds } from '#server/screens/inbox/formatted-text.ts';
import { hasFormatting } from '#server/screens/inbox/plain-text.ts';
import type { PictureView } from '#server/screens/inbox/thread-views.ts';
import { uploadPath } from '#server/screens/inbox/upload-path.ts';

/** How formatting begins: the text with its selection, and the mark that this gets. */
export type FormatStart = { text: string; start: number; end: number; mark?: 'bold' | 'italic' | undefined };

type Props = BoxProps & {
  formatted: FormattedText;
  /** Files of the draft, some of which are pictures in the text. */
  files: readonly DraftFile[];
  /** Pictures of a note that is edited. */
  pictures: readonly PictureView[];
  /** Set when formatting begins, and taken by the editor that is created then. */
  start: RefObject<FormatStart | null>;
  /** Changes the files of a draft. Undefined for a note that is edited. */
  changeFiles: ChangeFiles | undefined;
};

type Sources = Pick<Props, 'files' | 'pictures'>;

/** A text box with formatting (TipTap), which suggests the same completions and has the same keys as `TextBox`. */
export default function FormattedBox(props: Props) {
  const { box, label, placeholder, text, formatted, start, describedBy, invalid, onChange, onSubmit } = props;
  const listId = useId();
  const prefetchReplies = usePrefetchReplies(props.offersFor);
  /** Files whose pictures were deleted from the text. Undo and pasting bring them back. */
  const deleted = useRef<readonly DraftFile[]>([]);
  const sources = useRef<Sources>(props);
  useLayoutEffect(() => {
    sources.current = props;
  });
  const [extensions] = useState(() =>
    extensionsFor((fileId) => pictureSrc(sources.current, deleted.current, fileId)),
  );
  /** The document that the editor last reported. Another one comes from outside. */
  const reported = useRef<FormattedText>(formatted);
  /** Removes the files of deleted pictures, so that none is sent unseen. */
  const keepFiles = (before: string[], now: string[]) => {
    const isOf = (ids: string[]) => (file: DraftFile) => ids.includes(file.uploaded?.id ?? '');
    const gone = props.files.filter(isOf(before.filter((id) => !now.includes(id))));
    const back = deleted.current.filter(isOf(now.filter((id) => !before.includes(id))));
    if (gone.length + back.length === 0) return;
    deleted.current = [...deleted.current.filter((file) => !back.includes(file)), ...gone];
    props.changeFiles?.((files) => [
      ...files.filter((file) => !gone.some(({ key }) => key === file.key)),
      ...back.filter(({ key }) => !files.some((file) => file.key === key)),
    ]);
  };
  const removeFormatting = () => {
    const pictured = formatted;
    onChange(text, null);
    if (!hasFormatting(pictured)) return;
    const undo = () => {
      if (box.current?.typed()?.text === text) onChange(text, pictured);
    };
    toast('Formatting removed', { action: { label: 'Undo', onClick: undo } });
  };
  const follow = (editor: Editor) => {
    const { typed, caret } = tokenText(editor);
    update(typed, caret);
  };
  const { suggestions, active, update, close, choose, point, onKey } = useSuggestions({
    tokenAt: props.tokenAt,
    suggest: props.suggest,
    offersFor: props.offersFor,
    onComplete: ({ start, end }, completion, after = ' ') => {
      const { typed, from } = tokenText(editor);
      const space = /^\s/.test(typed.slice(end)) ? '' : after;
      insertText(editor, completion + space, { from: from + start, to: from + end });
    },
  });
  const editor = useEditor({
    extensions,
    coreExtensionOptions,
    // The server renders no editor.
    immediatelyRender: true,
    content: formatted,
    editorProps: {
      clipboardTextParser,
      attributes: {
        'data-box': '',
        role: 'textbox',
        dir: 'auto',
        class: BOX,
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-placeholder': placeholder,
        'aria-autocomplete': 'list',
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        ...(invalid ? { 'aria-invalid': 'true' } : {}),
        ...(suggestions
          ? { 'aria-controls': listId, 'aria-activedescendant': optionId(listId, active) }
          : {}),
      },
    },
    onUpdate: ({ editor: changed }) => {
      const edited = editedText(changed);
      keepFiles(pictureIds(reported.current), pictureIds(edited.formatted));
      reported.current = edited.formatted;
      onChange(edited.text, edited.formatted);
      follow(changed);
    },
    onSelectionUpdate: ({ editor: changed }) => follow(changed),
    onFocus: prefetchReplies,
    onBlur: close,
  });
  useImperativeHandle(box, () => ({
    focus: (caret, insert) => {
      if (editor.isDestroyed) {
        props.request.current = { caret, insert };
        return;
      }
      editor.commands.focus(insert === undefined ? 'end' : null);
      if (insert !== undefined) insertText(editor, insert);
    },
    typed: () => ({ text, start: text.length, end: text.length }),
    insertPictures: (pictures) => insertPictures(editor, pictures),
  }));
  const wrapper = useRef<HTMLDivElement>(null);
  const { request } = props;
  // At once, so that no key press is lost in between.
  useLayoutEffect(() => {
    // TipTap replaces an editor that React shows later than it was created.
    if (editor.isDestroyed) return;
    const began = start.current;
    const asked = request.current;
    start.current = null;
    request.current = null;
    const end = editor.state.doc.content.size;
    editor.commands.setTextSelection(
      began ? { from: placeOf(began.text, began.start), to: placeOf(began.text, began.end) } : end,
    );
    if (began || asked) editor.view.focus();
    if (began?.mark) editor.commands.toggleMark(began.mark);
    if (asked?.insert !== undefined) insertText(editor, asked.insert);
  }, [editor, request, start]);
  useLayoutEffect(() => {
    const element = wrapper.current;
    return () => {
      if (element?.contains(document.activeElement)) request.current = {};
    };
  }, [request]);
  useEffect(() => {
    if (formatted === reported.current || editor.isDestroyed) return;
    reported.current = formatted;
    editor.commands.setContent(formatted, { emitUpdate: false });
  }, [editor, formatted]);
  return (
    <div ref={wrapper}>
      <Suggested
        listId={listId}
        suggestions={suggestions}
        active={active}
        onChoose={choose}
        onPoint={point}
      />
      <FormattingBar editor={editor} onPlain={removeFormatting} />
      <div
        className="relative"
        onKeyDownCapture={(press) => {
          // Outside a list it leaves the text. TipTap would pull a paragraph below a list into that list.
          if (press.key === 'Tab' && !suggestions && !editor.isActive('listItem')) press.stopPropagation();
          else onBoxKey(press, { onKey, onSubmit });
        }}
      >
        {text === '' ? (
          <p aria-hidden className="pointer-events-none absolute px-3 py-2 text-ink-faint max-md:text-base">
            {placeholder}
          </p>
        ) : null}
        <EditorContent editor={editor} />
      </div>
    </div>
  );
}

/** Returns the address of a picture of a draft or note. */
function pictureSrc({ files, pictures }: Sources, deleted: readonly DraftFile[], fileId: string): string {
  const file = [...files, ...deleted].find(({ uploaded }) => uploaded?.id === fileId)?.uploaded;
  if (file) return uploadPath(file);
  const sent = pictures.find((picture) => picture.fileId === fileId);
  return sent ? `/attachments/${sent.id}` : '';
}

const BOX =
  'formatted scroll-pane block max-h-[35dvh] min-h-18 w-full whitespace-pre-wrap px-3 py-2 outline-none [overflow-wrap:anywhere] max-md:min-h-14 max-md:text-base';
