import { cx } from '#app/lib/cx.ts';

/** A grey line where a text will be. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('block h-3 animate-pulse rounded-md bg-line', className)} />;
}
