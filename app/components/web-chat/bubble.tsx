import type { ReactNode } from 'react';
import { cx } from '#app/lib/cx.ts';

type Props = { isMine: boolean; content: string; files?: ReactNode; foot: ReactNode };

/** One message: the visitor's own at the right, what they are answered at the left. */
export function Bubble({ isMine, content, files, foot }: Props) {
  return (
    <div
      className={cx(
        'grid max-w-[85%] gap-1',
        isMine ? 'justify-items-end justify-self-end' : 'justify-self-start',
      )}
    >
      {content.trim() === '' ? null : (
        <p
          className={cx(
            'whitespace-pre-wrap rounded-lg px-3 py-2 [overflow-wrap:anywhere]',
            isMine ? 'bg-accent text-on-accent' : 'border bg-canvas',
          )}
        >
          {content}
        </p>
      )}
      {files}
      <div className="px-1 text-ink-faint text-xs">{foot}</div>
    </div>
  );
}
