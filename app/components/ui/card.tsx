import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

/** A bordered surface. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cx('rounded-lg border bg-surface', className)} {...rest} />;
}
