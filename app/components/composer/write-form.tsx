'use client';

import { Check, Type } from 'lucide-react';
import {
  type ClipboardEvent,
  type ReactNode,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { charactersLeft } from '#app/components/composer/characters-left.ts';
import type { FormatStart } from '#app/components/composer/formatted-box.tsx';
import { SendLater } from '#app/components/composer/send-later.tsx';
import {
  type BoxHandle,
  type BoxProps,
  type FocusRequest,
  type SubmitKey,
  TextBox,
} from '#app/components/composer/text-box.tsx';
import { pastedFiles } from '#app/components/composer/use-enclosures.ts';
import type { ChangeFiles, DraftFile } from '#app/components/drafts/composer-state.ts';
import type { UploadedFile } from '#app/components/drafts/upload-file.ts';
import { Button, IconButton } from '#app/components/ui/button.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { lazyPart } from '#app/components/ui/lazy-part.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { cx } from '#app/lib/cx.ts';
import { notReached } from '#app/lib/outcome.ts';
import { type FormattedText, formattedText } from '#server/screens/inbox/formatted-text.ts';
import type { PictureView } from '#server/screens/inbox/thread-views.ts';

const NONE: readonly never[] = [];
/** Types that the server shows. */
const PICTURE = /^image\/(png|jpeg|gif|webp)$/;

/** Loads the editor with the first use of formatting. Until then its text is shown. */
const FormattedBox = lazyPart(
  () => import('#app/components/composer/formatted-box.tsx'),
  ({ text }) => <p className="min-h-18 whitespace-pre-wrap px-3 py-2 [overflow-wrap:anywhere]">{text}</p>,
  'used',
);

type Props = Omit<BoxProps, 'describedBy' | 'invalid' | 'onSubmit' | 'request'> & {
  formatted: FormattedText | null;
  /** The channel shows formatting. */
  canFormat: boolean;
  maxLength: number;
  /** Error text, or null. */
  problem: ReactNode;
  submit: string;
  busy: boolean;
  /** The form may be sent without text, for example with files only. */
  mayBeEmpty?: boolean;
  onSend: (solves: boolean, sendAt?: Date) => void;
  /** Shows the second button, which sends and solves. */
  canSolve?: boolean;
  /** Shows the button that sends at a chosen time. */
  canSendLater?: boolean;
  /** Shown above the text box. */
  head?: ReactNode;
  /** Shown between the text box and the buttons. */
  below?: ReactNode;
  /** Files of the draft, some of which may be pictures in the text. */
  files?: readonly DraftFile[];
  /** Pictures of a note that is edited. */
  pictures?: readonly PictureView[];
  /** Changes the files of the draft. */
  changeFiles?: ChangeFiles | undefined;
  /** Receives pasted files, and what to do with them once they are uploaded. Without it, the form ignores pasted files. */
  onPasteFiles?: (files: File[], use?: (added: UploadedFile[]) => void) => void;
  aside: ReactNode;
};

/** A text box with a submit button. */
export function WriteForm(props: Props) {
  const {
    formatted,
    canFormat,
    maxLength,
    problem,
    submit,
    busy,
    mayBeEmpty = false,
    onSend,
    canSolve = false,
    canSendLater = false,
    head,
    below,
    files = NONE,
    pictures = NONE,
    changeFiles,
    onPasteFiles,
    aside,
    ...box
  } = props;
  const id = useId();
  const { sentence, isTooLong } = charactersLeft(box.text, maxLength);
  const canSend = (mayBeEmpty || box.text.trim() !== '') && !isTooLong && !busy;
  const [isChoosingTime, setIsChoosingTime] = useState(false);
  const send = (solves: boolean) => {
    if (canSend) onSend(solves && canSolve);
  };
  const submitBy = (how: SubmitKey) => {
    if (how === 'later' && canSendLater) setIsChoosingTime(canSend);
    else send(how === 'solve');
  };
  const problemId = problem ? `${id}-problem` : undefined;
  const countId = sentence ? `${id}-count` : undefined;
  const onPaste = (event: ClipboardEvent) => {
    const files = pastedFiles(event.clipboardData);
    if (files.length === 0 || !onPasteFiles) return;
    event.preventDefault();
    event.stopPropagation();
    const arePictures = canFormat && files.every(({ type }) => PICTURE.test(type));
    onPasteFiles(files, arePictures ? (added) => void showPictures(added) : undefined);
  };
  // Each form has its own box: the composer's is the one on screen, and this one is null once another tab or conversation is shown.
  const own = useRef<BoxHandle>(null);
  const start = useRef<FormatStart | null>(null);
  const focus = useRef<FocusRequest | null>(null);
  useImperativeHandle(box.box, () => ({
    focus: (caret, insert) => {
      // The editor is still being loaded.
      if (own.current === null) focus.current = { caret, insert };
      else own.current.focus(caret, insert);
    },
    typed: () => own.current?.typed() ?? null,
  }));
  const current = useRef(files);
  useLayoutEffect(() => {
    current.current = files;
  });
  const format = async (mark?: FormatStart['mark']) => {
    // What is typed during the load belongs to the text.
    if (!document.activeElement?.matches('[data-box]')) own.current?.focus();
    try {
      await FormattedBox.load();
    } catch {
      toast.error('Could not load the formatting', { description: notReached().problem });
      return;
    }
    // The text may have changed during the load.
    const typed = own.current?.typed();
    if (!typed) return;
    start.current = { ...typed, mark };
    box.onChange(typed.text, formattedText(typed.text));
  };
  /** Shows uploaded files as pictures at the caret. */
  const showPictures = async (added: UploadedFile[]) => {
    if (added.length > 0 && own.current && !own.current.insertPictures) await format();
    // The reply may have been sent, or a file removed, in the meantime.
    const left = added.filter(({ id: fileId }) =>
      current.current.some(({ uploaded }) => uploaded?.id === fileId),
    );
    if (left.length > 0) own.current?.insertPictures?.(left);
  };
  const shared = {
    ...box,
    box: own,
    request: focus,
    describedBy: [problemId, countId].filter(Boolean).join(' ') || undefined,
    invalid: problem !== null || isTooLong,
    onSubmit: submitBy,
  };
  return (
    <div onPasteCapture={onPaste}>
      {head}
      {formatted ? (
        <FormattedBox
          {...shared}
          formatted={formatted}
          files={files}
          pictures={pictures}
          start={start}
          changeFiles={changeFiles}
        />
      ) : (
        <TextBox {...shared} onFormat={canFormat ? (mark) => void format(mark) : undefined} />
      )}
      {below}
      {problem ? (
        <div className="px-3 pb-1">
          <FieldError id={problemId}>{problem}</FieldError>
        </div>
      ) : null}
      <div className="composer-buttons @container">
        {aside}
        {canFormat && formatted === null ? (
          <IconButton
            icon={Type}
            label="Formatting"
            onMouseDown={(press) => press.preventDefault()}
            onClick={() => void format()}
          />
        ) : null}
        <span className="grow" />
        {sentence ? (
          <span
            id={countId}
            className={cx('tabular text-right text-xs', isTooLong ? 'text-danger-ink' : 'text-ink-soft')}
          >
            {sentence}
          </span>
        ) : null}
        {canSolve ? (
          <Button
            onClick={() => send(true)}
            disabled={!canSend}
            aria-label="Send and solve"
            aria-keyshortcuts="Control+Alt+Enter Meta+Alt+Enter"
            data-tip="Send and solve (Ctrl or Cmd + Alt + Enter)"
            className="max-md:px-3"
          >
            <Check aria-hidden size={16} strokeWidth={1.75} className="md:hidden" />
            <span className="max-md:hidden">Send and solve</span>
          </Button>
        ) : null}
        {canSendLater ? (
          <SendLater
            control={{ open: isChoosingTime, onOpenChange: setIsChoosingTime }}
            disabled={!canSend}
            onChoose={(at) => {
              setIsChoosingTime(false);
              if (canSend) onSend(false, at);
            }}
          />
        ) : null}
        <Button
          variant="primary"
          onClick={() => send(false)}
          disabled={!canSend}
          aria-busy={busy}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          title="Ctrl or Cmd + Enter"
        >
          {submit}
        </Button>
      </div>
    </div>
  );
}
