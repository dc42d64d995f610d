import type { ReactNode } from 'react';
import { cx } from '#app/lib/cx.ts';

const tones = {
  good: 'bg-good',
  waiting: 'bg-waiting',
  done: 'bg-done',
  bad: 'bg-danger',
  quiet: 'bg-quiet',
};

export type DotTone = keyof typeof tones;

type Props = { tone: DotTone; wrap?: boolean; children: ReactNode };

/** Coloured dot with text, because colour must not carry meaning by itself. */
export function StatusDot({ tone, wrap = false, children }: Props) {
  return (
    <span className={cx('inline-flex gap-1.5', wrap ? 'items-baseline' : 'items-center whitespace-nowrap')}>
      <span aria-hidden className={cx('size-2 shrink-0 rounded-full', tones[tone])} />
      {children}
    </span>
  );
}

/** Returns the colour class of a standalone dot. */
export function dotClass(tone: DotTone): string {
  return tones[tone];
}
