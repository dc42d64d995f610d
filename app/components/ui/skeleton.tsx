import { cx } from '#app/lib/cx.ts';

/** A grey line where a text will be. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('skeleton', className)} />;
}
