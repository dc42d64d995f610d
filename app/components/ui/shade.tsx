import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

/**
 * Shade over the page behind a dialog. Not Radix's overlay, which also stops the body from scrolling: the browser would
 * compute the style of every element again, and here only panes scroll.
 */
export function Shade({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      className={cx('pointer-events-auto fixed inset-0 animate-fade touch-pinch-zoom bg-shade', className)}
      {...props}
    />
  );
}
