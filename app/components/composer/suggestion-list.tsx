'use client';

import { FileText } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Suggestions } from '#app/components/composer/create-suggest.ts';
import { type ChosenBy, optionId } from '#app/components/composer/use-suggestions.ts';
import { cx } from '#app/lib/cx.ts';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

type Props = {
  id: string;
  suggestions: Suggestions;
  active: number;
  onChoose: (index: number, by: ChosenBy) => void;
  /** Called when the pointer moves over an option. */
  onPoint: (index: number) => void;
};

/** List of suggestions above the composer. The text box keeps the focus. */
export function SuggestionList({ id, suggestions, active, onChoose, onPoint }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${optionId(id, active)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const preview = suggestions.all[active]?.preview;
  return (
    <div
      className={cx(
        'absolute bottom-full left-0 z-20 mb-1 flex max-w-full animate-fade overflow-hidden rounded-lg border bg-surface shadow-black/5 shadow-lg max-md:flex-col',
        preview ? 'w-160' : 'w-96',
      )}
    >
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={suggestions.name}
        // A list that scrolls can be focused. Keys reach it from the text box without that.
        tabIndex={0}
        className={cx(
          'scroll-pane grid max-h-64 content-start p-1 max-md:max-h-44',
          preview ? 'md:w-64 md:shrink-0' : 'w-full',
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
            // Results that arrive while the button is down move the options, and the click would miss this one.
            onMouseDown={(press) => {
              press.preventDefault();
              if (press.button === 0) onChoose(index, 'pointer');
            }}
            // Assistive technology clicks without mouse events.
            onClick={(click) => {
              if (click.detail === 0) onChoose(index, 'pointer');
            }}
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

/** The start of a saved reply as it will be inserted. */
function SuggestionPreview({ preview }: { preview: OfferedSavedReply }) {
  const { content, missing, files } = preview;
  return (
    <div className="grid min-w-0 grow content-start gap-2 overflow-hidden p-3 text-list max-md:border-t md:border-l">
      <p dir="auto" className="line-clamp-9 whitespace-pre-wrap [overflow-wrap:anywhere] max-md:line-clamp-4">
        {content}
      </p>
      {files.map(({ name }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files can have the same name, and the list never changes
        <p key={index} className="flex min-w-0 items-center gap-1.5 text-ink-soft">
          <FileText aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
          <bdi className="truncate">{name}</bdi>
        </p>
      ))}
      {missing.length > 0 ? (
        <p className="text-ink-soft text-xs">Unknown, so left out: {missing.join(', ')}</p>
      ) : null}
    </div>
  );
}
