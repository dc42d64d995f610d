import type { ReactNode } from 'react';
import { cx } from '#app/lib/cx.ts';

const tones = {
  plain: 'border-line bg-canvas text-ink-soft',
  accent: 'border-transparent bg-accent-soft text-accent-ink',
  note: 'border-note-line bg-note text-note-ink',
};

export function Badge({ tone = 'plain', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex max-w-full items-center gap-1 rounded-md border px-1.5 py-px font-medium text-xs',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
