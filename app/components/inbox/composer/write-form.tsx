'use client';

import { type ComponentProps, type ReactNode, useId } from 'react';
import { charactersLeft } from '#app/components/inbox/composer/characters-left.ts';
import { TextBox } from '#app/components/inbox/composer/text-box.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Problem } from '#app/components/ui/problem.tsx';
import { cx } from '#app/lib/cx.ts';

type Props = Omit<ComponentProps<typeof TextBox>, 'describedBy' | 'invalid' | 'onSubmit'> & {
  maxLength: number;
  /** Why it was not taken, in sentences; null when it was. */
  problem: ReactNode;
  submit: string;
  busy: boolean;
  onSend: () => void;
  /** What stands above the box, and beside the button. */
  head?: ReactNode;
  aside: ReactNode;
};

/** Something to write and a button that sends it. */
export function WriteForm({ maxLength, problem, submit, busy, onSend, head, aside, ...box }: Props) {
  const id = useId();
  const { sentence, isTooLong } = charactersLeft(box.text, maxLength);
  const canSend = box.text.trim() !== '' && !isTooLong && !busy;
  const send = () => {
    if (canSend) onSend();
  };
  const problemId = problem ? `${id}-problem` : undefined;
  const countId = sentence ? `${id}-count` : undefined;
  return (
    <div>
      {head}
      <TextBox
        {...box}
        describedBy={[problemId, countId].filter(Boolean).join(' ') || undefined}
        invalid={problem !== null || isTooLong}
        onSubmit={send}
      />
      {problem ? (
        <div className="px-3 pb-1">
          <Problem id={problemId}>{problem}</Problem>
        </div>
      ) : null}
      <div className="flex items-center gap-2 px-2 pt-1 pb-2">
        {aside}
        <span className="grow" />
        {sentence ? (
          <span
            id={countId}
            className={cx('tabular text-right text-xs', isTooLong ? 'text-danger-ink' : 'text-ink-soft')}
          >
            {sentence}
          </span>
        ) : null}
        <Button
          kind="primary"
          onClick={send}
          disabled={!canSend}
          aria-busy={busy}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          title="Ctrl or Cmd and Enter"
        >
          {submit}
        </Button>
      </div>
    </div>
  );
}
