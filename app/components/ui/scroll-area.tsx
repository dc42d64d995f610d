import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

/** A part of the screen with its own scrolling, which the keyboard can reach. */
export function ScrollArea({ className, ...rest }: ComponentProps<'section'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section tabIndex={0} className={cx('scroll-pane focus-inset', className)} {...rest} />
  );
}
