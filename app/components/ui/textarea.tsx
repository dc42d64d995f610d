import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

/** A field for a longer text. */
export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={cx('control control-text', className)} {...rest} />;
}
