'use client';

import {
  type KeyboardEvent,
  type RefObject,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import type { OfferedReplies, Suggestions } from '#app/components/composer/create-suggest.ts';
import { focusConversation } from '#app/components/composer/focus-conversation.ts';
import { completeToken, type TypedToken } from '#app/components/composer/typed-token.ts';
import { usePrefetchReplies } from '#app/components/composer/use-offered-replies.ts';
import { optionId, useSuggestions } from '#app/components/composer/use-suggestions.ts';
import type { UploadedFile } from '#app/components/drafts/upload-file.ts';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { isComposing } from '#app/lib/is-composing.ts';
import type { FormattedText } from '#server/screens/inbox/formatted-text.ts';

const rareParts = lazyParts(() => import('#app/components/composer/rare-parts.ts'));
const SuggestionList = rareParts('SuggestionList');

/** What the page does with a text box. */
export type BoxHandle = {
  /** Focuses it, with the caret at an offset or the end, and inserts a text there. */
  focus: (caret?: number, insert?: string) => void;
  /** The text with its selection, as offsets. */
  typed: () => { text: string; start: number; end: number } | null;
  /** Inserts pictures, in a text with formatting. */
  insertPictures?: (files: readonly UploadedFile[]) => void;
};

/** A request for the focus, as `BoxHandle.focus` takes it. */
export type FocusRequest = { caret?: number | undefined; insert?: string | undefined };

export type BoxProps = {
  box: RefObject<BoxHandle | null>;
  /** The focus that the next box of this form takes. A box with the focus passes it on to the one that replaces it. */
  request: RefObject<FocusRequest | null>;
  label: string;
  placeholder: string;
  text: string;
  describedBy: string | undefined;
  invalid: boolean;
  tokenAt: (text: string, caret: number) => TypedToken | null;
  suggest: (token: TypedToken, offered: OfferedReplies) => Suggestions;
  /** The conversation whose saved replies are offered after `/`, or null. */
  offersFor: string | null;
  onChange: (text: string, formatted: FormattedText | null) => void;
  /** Receives each new selection. */
  onSelect?: (start: number, end: number) => void;
  onSubmit: (how: SubmitKey) => void;
};

type Props = BoxProps & {
  /** Starts formatting the selected text. Undefined where a text cannot be formatted. */
  onFormat: ((mark: 'bold' | 'italic') => void) | undefined;
};

/** Ctrl or Cmd+Enter sends; with Shift it sends later, with Alt it sends and solves. */
export type SubmitKey = 'send' | 'later' | 'solve';

/**
 * A text area that grows with its text and suggests completions. Stays a textbox for assistive technology and names
 * the active suggestion (WAI-ARIA `aria-activedescendant`). Ctrl or Cmd+Enter submits.
 */
export function TextBox(props: Props) {
  const {
    box,
    label,
    placeholder,
    text,
    describedBy,
    invalid,
    tokenAt,
    suggest,
    offersFor,
    onChange,
    onSelect,
    onSubmit,
    onFormat,
  } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const prefetchReplies = usePrefetchReplies(offersFor);
  const { request } = props;
  useLayoutEffect(() => {
    const element = area.current;
    if (request.current) element?.focus();
    request.current = null;
    return () => {
      if (document.activeElement === element) request.current = {};
    };
  }, [request]);
  const caret = useRef<number | null>(null);
  const { suggestions, active, update, close, choose, point, onKey } = useSuggestions({
    tokenAt,
    suggest,
    offersFor,
    onComplete: (token, completion, after) => {
      const completed = completeToken(text, token, completion, after);
      caret.current = completed.caret;
      onChange(completed.text, null);
    },
  });
  useImperativeHandle(box, () => ({
    focus: (at) => {
      const place = at ?? area.current?.value.length ?? 0;
      area.current?.focus();
      area.current?.setSelectionRange(place, place);
    },
    typed: () => {
      const { value = '', selectionStart = 0, selectionEnd = 0 } = area.current ?? {};
      return { text: value, start: selectionStart, end: selectionEnd };
    },
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height and the caret follow the text
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    if (!CSS.supports('field-sizing', 'content')) {
      element.style.height = 'auto';
      element.style.height = `${element.scrollHeight}px`;
    }
    if (caret.current === null) return;
    element.focus();
    element.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [text]);
  const follow = (element: HTMLTextAreaElement) => {
    const { value, selectionStart, selectionEnd } = element;
    update(value, selectionStart === selectionEnd ? selectionStart : null);
    onSelect?.(element.selectionStart, element.selectionEnd);
  };
  const onKeyDown = (press: KeyboardEvent<HTMLTextAreaElement>) => {
    const mark = press.ctrlKey || press.metaKey ? FORMATS[press.key.toLowerCase()] : undefined;
    if (mark && onFormat && !press.altKey && !press.shiftKey) {
      press.preventDefault();
      onFormat(mark);
    } else onBoxKey(press, { onKey, onSubmit });
  };
  return (
    <div>
      <Suggested
        listId={listId}
        suggestions={suggestions}
        active={active}
        onChoose={choose}
        onPoint={point}
      />
      <textarea
        ref={area}
        data-box
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        aria-autocomplete="list"
        aria-controls={suggestions ? listId : undefined}
        aria-activedescendant={suggestions ? optionId(listId, active) : undefined}
        placeholder={placeholder}
        rows={3}
        value={text}
        onChange={(change) => {
          onChange(change.target.value, null);
          follow(change.target);
        }}
        onSelect={(select) => follow(select.currentTarget)}
        onKeyDown={onKeyDown}
        onFocus={prefetchReplies}
        onBlur={close}
        dir="auto"
        className="field-sizing-content block max-h-[35dvh] min-h-18 w-full resize-none bg-transparent px-3 py-2 outline-none placeholder:text-ink-faint max-md:min-h-14 max-md:text-base"
      />
    </div>
  );
}

const FORMATS: Record<string, 'bold' | 'italic'> = { b: 'bold', i: 'italic' };

/** Handles the keys of a text box: submitting, its suggestions, and leaving it. */
export function onBoxKey(
  press: KeyboardEvent,
  { onKey, onSubmit }: { onKey: (press: KeyboardEvent) => boolean; onSubmit: (how: SubmitKey) => void },
): void {
  // Enter confirms an IME composition here.
  if (isComposing(press.nativeEvent)) return;
  if (press.key === 'Enter' && (press.ctrlKey || press.metaKey)) {
    press.preventDefault();
    onSubmit(press.altKey ? 'solve' : press.shiftKey ? 'later' : 'send');
    return;
  }
  const isHandled = onKey(press);
  if (!isHandled && press.key !== 'Escape') return;
  // A dialog, an editor or the page would use the same key press.
  press.preventDefault();
  press.stopPropagation();
  // Once leaves the text, and the draft stays.
  if (!isHandled) focusConversation();
}

type SuggestedProps = {
  listId: string;
  suggestions: Suggestions | null;
  active: number;
  onChoose: ReturnType<typeof useSuggestions>['choose'];
  onPoint: (index: number) => void;
};

/** The list of suggestions above a text box, and its announcement. */
export function Suggested({ listId, suggestions, active, onChoose, onPoint }: SuggestedProps) {
  return (
    <>
      {suggestions ? (
        <SuggestionList
          id={listId}
          suggestions={suggestions}
          active={active}
          onChoose={onChoose}
          onPoint={onPoint}
        />
      ) : null}
      <span role="status" className="sr-only">
        {suggestions
          ? `${suggestions.name}: ${suggestions.all.length}. Choose with the arrow keys, accept with Enter.`
          : ''}
      </span>
    </>
  );
}
