'use client';

import { useNow } from '#app/components/ui/now-provider.tsx';
import { cx } from '#app/lib/cx.ts';
import { dueHint } from '#app/lib/due-hint.ts';

/** Says that a time limit is over, or soon will be; nothing while there is time. */
export function DueHint({ at }: { at: Date }) {
  const { now } = useNow();
  const hint = dueHint(at, now);
  if (!hint) return null;
  return (
    <span className={cx('shrink-0 font-medium', hint.overdue ? 'text-danger-ink' : 'text-note-ink')}>
      {hint.words}
    </span>
  );
}
