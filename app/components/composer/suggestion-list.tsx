'use client';

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { OfferedReplies, Suggestion, Suggestions } from '#app/components/composer/create-suggest.ts';
import { SuggestionPreview } from '#app/components/composer/suggestion-preview.tsx';
import { completeToken, type TypedToken } from '#app/components/composer/typed-token.ts';
import { useOfferedReplies } from '#app/components/composer/use-offered-replies.ts';
import { cx } from '#app/lib/cx.ts';

type Props = {
  id: string;
  suggestions: Suggestions;
  active: number;
  onChoose: (index: number) => void;
  /** Called when the pointer moves over an option. */
  onPoint: (index: number) => void;
};

/** Returns the element id of an option. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** List of suggestions above the composer. The text box keeps the focus. */
export function SuggestionList({ id, suggestions, active, onChoose, onPoint }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${optionId(id, active)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const preview = suggestions.all[active]?.preview;
  const hasPreviews = suggestions.all.some((one) => one.preview);
  return (
    <div
      className={cx(
        'absolute bottom-full left-0 z-20 mb-1 flex max-w-full animate-fade overflow-hidden rounded-lg border bg-surface shadow-black/5 shadow-lg max-md:flex-col',
        hasPreviews ? 'w-160 md:h-56' : 'w-96',
      )}
    >
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={suggestions.name}
        className={cx(
          'scroll-pane grid max-h-64 content-start p-1',
          hasPreviews ? 'md:w-64 md:shrink-0 max-md:max-h-44' : 'w-full',
        )}
      >
        {suggestions.all.map(({ key, title, hint }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the text box keeps the focus and names the active option (aria-activedescendant)
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text box handles the keys
          <div
            key={key}
            id={optionId(id, index)}
            role="option"
            aria-selected={index === active}
            // Mouse down would move the focus before the click.
            onMouseDown={(press) => press.preventDefault()}
            onClick={() => onChoose(index)}
            onMouseMove={() => onPoint(index)}
            className={cx(
              'grid min-h-9 cursor-pointer content-center rounded-md px-2 py-1 max-md:min-h-11',
              index === active ? 'bg-accent-soft text-accent-ink' : 'hover:bg-hover',
            )}
          >
            <span className="truncate font-medium text-list">{title}</span>
            <span className={cx('truncate text-xs', index === active ? 'text-accent-ink' : 'text-ink-soft')}>
              {hint}
            </span>
          </div>
        ))}
      </div>
      {preview ? <SuggestionPreview preview={preview} /> : null}
    </div>
  );
}

type Options = {
  text: string;
  tokenAt: (text: string, caret: number) => TypedToken | null;
  suggest: (token: TypedToken, offered: OfferedReplies) => Suggestions;
  /** The conversation whose saved replies are offered after `/`, or null. */
  offersFor: string | null;
  /** Receives the completed text and the new caret position. */
  onComplete: (text: string, caret: number) => void;
};

/** Returns the suggestions for the text typed into a text box, and its key handler. */
export function useSuggestions({ text, tokenAt, suggest, offersFor, onComplete }: Options) {
  const [token, setToken] = useState<TypedToken | null>(null);
  const [active, setActive] = useState(0);
  /** Start of the token whose list was closed with Escape. The list reopens with another token. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const shownToken = token && token.start !== closedAt ? token : null;
  const offered = useOfferedReplies(offersFor, shownToken?.trigger === '/' ? shownToken.query : null);
  const suggestions = shownToken ? suggest(shownToken, offered) : null;
  const count = suggestions?.all.length ?? 0;

  const update = (box: HTMLTextAreaElement) => {
    const { value, selectionStart, selectionEnd } = box;
    const found = selectionStart === selectionEnd ? tokenAt(value, selectionStart) : null;
    if (found?.start !== token?.start) setClosedAt(null);
    if (found?.start !== token?.start || found?.query !== token?.query) setActive(0);
    setToken(found);
  };
  const close = () => setToken(null);
  const choose = (index: number) => {
    const chosen = suggestions?.all[index];
    // A saved reply of the previous query is about to be replaced in the list.
    if (!token || !chosen || (chosen.preview && offered.isStale)) return;
    close();
    accept(chosen, token);
  };
  const accept = ({ choice }: Suggestion, typed: TypedToken) => {
    if ('run' in choice) {
      choice.run();
      return;
    }
    const done = completeToken(text, typed, choice.completion, choice.after);
    onComplete(done.text, done.caret);
    choice.onInserted?.();
  };
  /** Returns whether the list handled the key. */
  const onKey = (press: KeyboardEvent): boolean => {
    if (count === 0) return false;
    switch (press.key) {
      case 'ArrowDown':
        setActive((active + 1) % count);
        return true;
      case 'ArrowUp':
        setActive((active + count - 1) % count);
        return true;
      case 'Enter':
      case 'Tab':
        if (press.shiftKey) return false;
        choose(active);
        return true;
      case 'Escape':
        setClosedAt(token?.start ?? null);
        return true;
      default:
        return false;
    }
  };
  return {
    suggestions: count > 0 ? suggestions : null,
    active: Math.min(active, count - 1),
    update,
    close,
    choose,
    point: setActive,
    onKey,
  };
}
