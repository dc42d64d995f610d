import type { ReactNode } from 'react';
import { cx } from '#app/lib/cx.ts';

const tones = { good: 'bg-good', waiting: 'bg-waiting', done: 'bg-done', quiet: 'bg-quiet' };

export type DotTone = keyof typeof tones;

/** A dot and the word that says the same, as colour alone says nothing to some. */
export function StatusDot({ tone, children }: { tone: DotTone; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden className={cx('size-2 shrink-0 rounded-full', tones[tone])} />
      {children}
    </span>
  );
}
