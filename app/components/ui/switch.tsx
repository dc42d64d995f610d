'use client';

import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

type Props = Omit<ComponentProps<'button'>, 'onClick' | 'role'> & {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
};

/** Toggle switch. The label is connected by `aria-labelledby`. */
export function Switch({ checked, onCheckedChange, className, ...rest }: Props) {
  return (
    <span className="relative inline-flex shrink-0">
      <button
        type="button"
        role="switch"
        aria-checked={checked}
        onClick={() => onCheckedChange(!checked)}
        className={cx(
          'group inline-flex h-5 w-9 items-center rounded-full border border-line-control bg-canvas px-0.5 transition-colors',
          'after:absolute after:-inset-3 aria-checked:border-transparent aria-checked:bg-accent',
          'aria-disabled:opacity-60 disabled:opacity-60',
          className,
        )}
        {...rest}
      >
        <span className="size-3.5 rounded-full bg-line-control transition-transform group-aria-checked:translate-x-4 group-aria-checked:bg-on-accent" />
      </button>
    </span>
  );
}
