import { ChevronsUpDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { controlClass } from '#app/components/ui/input.tsx';
import { cx } from '#app/lib/cx.ts';

/** Styled native select, which works without JavaScript. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select className={cx(controlClass, 'appearance-none truncate pr-9', className)} {...rest} />
      <ChevronsUpDown
        aria-hidden
        size={16}
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-soft"
      />
    </span>
  );
}
