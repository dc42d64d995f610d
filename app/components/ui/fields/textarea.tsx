import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

/** A field for a longer text. On phones the text is 16 px, or Safari zooms into it. */
export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={cx(
        'w-full rounded-lg border border-line-control bg-surface px-3 py-2 text-ink text-sm max-md:text-base',
        'placeholder:text-ink-faint aria-invalid:border-danger-ink',
        className,
      )}
      {...rest}
    />
  );
}
