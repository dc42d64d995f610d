'use client';

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Suggestion, Suggestions } from '#app/components/composer/create-suggest.ts';
import { completeToken, type TypedToken } from '#app/components/composer/typed-token.ts';
import { cx } from '#app/lib/cx.ts';

type Props = {
  id: string;
  suggestions: Suggestions;
  active: number;
  onChoose: (index: number) => void;
};

/** Returns the element id of an option. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** List of suggestions above the composer. The text box keeps the focus. */
export function SuggestionList({ id, suggestions, active, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${optionId(id, active)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={suggestions.name}
      className="scroll-pane absolute bottom-full left-0 z-20 mb-1 grid max-h-64 w-96 max-w-full animate-fade rounded-lg border bg-surface p-1 shadow-black/5 shadow-lg"
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
  );
}

type Options = {
  text: string;
  tokenAt: (text: string, caret: number) => TypedToken | null;
  suggest: (token: TypedToken) => Suggestions;
  /** Receives the completed text and the new caret position. */
  onComplete: (text: string, caret: number) => void;
};

/** Returns the suggestions for the text typed into a text box, and its key handler. */
export function useSuggestions({ text, tokenAt, suggest, onComplete }: Options) {
  const [token, setToken] = useState<TypedToken | null>(null);
  const [active, setActive] = useState(0);
  /** Start of the token whose list was closed with Escape. The list reopens with another token. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const suggestions = token && token.start !== closedAt ? suggest(token) : null;
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
    if (!token || !chosen) return;
    close();
    accept(chosen, token);
  };
  const accept = ({ choice }: Suggestion, typed: TypedToken) => {
    if ('run' in choice) {
      choice.run();
      return;
    }
    const done = completeToken(text, typed, choice.completion);
    onComplete(done.text, done.caret);
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
    onKey,
  };
}
