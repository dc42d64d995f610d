'use client';

import { Switch as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

/** Switches something on or off at once. The label beside it names it by `aria-labelledby`. */
export function Switch({ className, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    <span className="relative inline-flex shrink-0">
      <Radix.Root
        className={cx(
          'inline-flex h-5 w-9 items-center rounded-full border border-line-control bg-canvas px-0.5 transition-colors',
          'after:absolute after:-inset-3 data-[state=checked]:border-transparent data-[state=checked]:bg-accent',
          'aria-disabled:opacity-60 disabled:opacity-60',
          className,
        )}
        {...rest}
      >
        <Radix.Thumb className="size-3.5 rounded-full bg-line-control transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent" />
      </Radix.Root>
    </span>
  );
}
