'use client';

import { useEffect, useRef } from 'react';
import type { Suggestions } from '#app/components/composer/suggestion.ts';
import { cx } from '#app/lib/cx.ts';

type Props = {
  id: string;
  suggestions: Suggestions;
  active: number;
  onChoose: (index: number) => void;
};

/** The id of one of the options of a list. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** What is offered while typing, above the whole composer; the text box keeps the keyboard. */
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
        // biome-ignore lint/a11y/useFocusableInteractive: the keyboard stays in the text box, which names the active one
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text box's
        <div
          key={key}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === active}
          // Pressed, not clicked: a click would take the keyboard away first.
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
