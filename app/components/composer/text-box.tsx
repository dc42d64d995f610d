'use client';

import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import type { OfferedReplies, Suggestions } from '#app/components/composer/create-suggest.ts';
import { focusConversation } from '#app/components/composer/focus-conversation.ts';
import type { TypedToken } from '#app/components/composer/typed-token.ts';
import { usePrefetchReplies } from '#app/components/composer/use-offered-replies.ts';
import { optionId, useSuggestions } from '#app/components/composer/use-suggestions.ts';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';

const rareParts = lazyParts(() => import('#app/components/composer/rare-parts.ts'));
const SuggestionList = rareParts('SuggestionList');

type Props = {
  box: RefObject<HTMLTextAreaElement | null>;
  label: string;
  placeholder: string;
  text: string;
  describedBy: string | undefined;
  invalid: boolean;
  tokenAt: (text: string, caret: number) => TypedToken | null;
  suggest: (token: TypedToken, offered: OfferedReplies) => Suggestions;
  /** The conversation whose saved replies are offered after `/`, or null. */
  offersFor: string | null;
  onChange: (text: string) => void;
  /** Receives each new selection. */
  onSelect?: (start: number, end: number) => void;
  onSubmit: (how: SubmitKey) => void;
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
  } = props;
  const listId = useId();
  const prefetchReplies = usePrefetchReplies(offersFor);
  const caret = useRef<number | null>(null);
  const { suggestions, active, update, close, choose, point, onKey } = useSuggestions({
    text,
    tokenAt,
    suggest,
    offersFor,
    onComplete: (completed, at) => {
      caret.current = at;
      onChange(completed);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height and the caret follow the text
  useLayoutEffect(() => {
    const element = box.current;
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
    update(element);
    onSelect?.(element.selectionStart, element.selectionEnd);
  };
  const onKeyDown = (press: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter confirms an IME composition here.
    if (press.nativeEvent.isComposing) return;
    if (press.key === 'Enter' && (press.ctrlKey || press.metaKey)) {
      press.preventDefault();
      onSubmit(press.altKey ? 'solve' : press.shiftKey ? 'later' : 'send');
    } else if (onKey(press)) {
      press.preventDefault();
      press.stopPropagation();
    } else if (press.key === 'Escape') {
      // Once leaves the text, and the draft stays. A dialog or the page would use the same key press.
      press.preventDefault();
      press.stopPropagation();
      focusConversation();
    }
  };
  return (
    <div>
      {suggestions ? (
        <SuggestionList
          id={listId}
          suggestions={suggestions}
          active={active}
          onChoose={choose}
          onPoint={point}
        />
      ) : null}
      <span role="status" className="sr-only">
        {suggestions
          ? `${suggestions.name}: ${suggestions.all.length}. Choose with the arrow keys, accept with Enter.`
          : ''}
      </span>
      <textarea
        ref={box}
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
          onChange(change.target.value);
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
