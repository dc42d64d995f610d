'use client';

import { type ComponentProps, type KeyboardEvent, useId, useState } from 'react';
import { Input } from '#app/components/ui/input.tsx';
import { cx } from '#app/lib/cx.ts';
import { isComposing } from '#app/lib/is-composing.ts';

export type ComboboxOption = { key: string; label: string; hint?: string | undefined };

type Props<Option extends ComboboxOption> = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'list'> & {
  value: string;
  onText: (text: string) => void;
  /** Matching options, best first. */
  options: Option[];
  /** Accessible name of the list. */
  optionsLabel: string;
  onChoose: (option: Option) => void;
};

/**
 * Text field with suggestions (WAI-ARIA combobox with listbox popup). Arrow keys move, Enter selects, Escape closes.
 * Free text is allowed.
 */
export function Combobox<Option extends ComboboxOption>(props: Props<Option>) {
  const { value, onText, options, optionsLabel, onChoose, onKeyDown, onFocus, onBlur, ...rest } = props;
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState<string | null>(null);
  const isOpen = open && options.length > 0;
  const activeIndex = isOpen ? options.findIndex(({ key }) => key === active) : -1;
  const choose = (option: Option) => {
    setOpen(false);
    setActive(null);
    onChoose(option);
  };
  const move = (event: KeyboardEvent, by: 1 | -1) => {
    event.preventDefault();
    setOpen(true);
    const from = activeIndex < 0 && by < 0 ? options.length : activeIndex;
    setActive(options.at((from + by) % options.length)?.key ?? null);
  };
  const onInputKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return;
    const chosen = options[activeIndex];
    if (event.key === 'ArrowDown') move(event, 1);
    else if (event.key === 'ArrowUp') move(event, -1);
    else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      choose(chosen);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      setOpen(false);
      // Without a text, the key also leaves the field.
      if (value === '') onKeyDown?.(event);
    } else onKeyDown?.(event);
  };
  return (
    <span className="relative block">
      <Input
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeIndex < 0 ? undefined : `${listId}-${activeIndex}`}
        autoComplete="off"
        value={value}
        onChange={({ target }) => {
          setOpen(true);
          setActive(null);
          onText(target.value);
        }}
        onFocus={(event) => {
          setOpen(true);
          onFocus?.(event);
        }}
        onBlur={(event) => {
          setOpen(false);
          onBlur?.(event);
        }}
        onKeyDown={onInputKeyDown}
        {...rest}
      />
      <ul
        id={listId}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the list of a combobox
        role="listbox"
        aria-label={optionsLabel}
        hidden={!isOpen}
        // In a popover above its button, the list opens upwards.
        className="scroll-pane absolute inset-x-0 top-full z-50 my-1 max-h-56 [[data-side=top]_&]:top-auto [[data-side=top]_&]:bottom-full rounded-lg border border-line bg-surface p-1 shadow-black/5 shadow-lg"
      >
        {isOpen
          ? options.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
              <li
                key={option.key}
                id={`${listId}-${index}`}
                tabIndex={-1}
                // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of a combobox
                role="option"
                aria-selected={index === activeIndex}
                // Keep the focus in the field: a blur would close the list before the click.
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setActive(option.key)}
                onClick={() => choose(option)}
                className={cx(
                  'flex min-h-8 cursor-pointer items-baseline gap-2 rounded-md px-2 py-1.5 text-list max-md:min-h-11 max-md:items-center',
                  index === activeIndex && 'bg-hover',
                )}
              >
                <span className="min-w-0 truncate">{option.label}</span>
                {option.hint ? (
                  <span className="min-w-0 grow truncate text-right text-ink-soft text-xs">
                    {option.hint}
                  </span>
                ) : null}
              </li>
            ))
          : null}
      </ul>
    </span>
  );
}
