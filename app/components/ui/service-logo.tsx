import { Inbox } from 'lucide-react';
import { cx } from '#app/lib/cx.ts';

export function ServiceLogo({ size = 'medium' }: { size?: 'medium' | 'large' }) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded-lg bg-accent text-on-accent',
        size === 'large' ? 'size-12' : 'size-8',
      )}
    >
      <Inbox size={size === 'large' ? 26 : 18} strokeWidth={1.75} />
    </span>
  );
}
