import type { ComponentProps } from 'react';
import { controlClass } from '#app/components/ui/control-class.ts';
import { cx } from '#app/lib/cx.ts';

/** A text field. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cx(controlClass, className)} {...rest} />;
}
