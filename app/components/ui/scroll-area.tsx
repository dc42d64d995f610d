import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

/** Scrollable region that is reachable by keyboard. */
export function ScrollArea({ className, ...rest }: ComponentProps<'section'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section tabIndex={0} className={cx('scroll-pane focus-inset', className)} {...rest} />
  );
}
