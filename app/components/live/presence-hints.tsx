'use client';

import { Eye, PencilLine } from 'lucide-react';
import { describePresent } from '#app/components/live/describe-present.ts';
import type { Present } from '#app/components/live/presence.ts';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { cx } from '#app/lib/cx.ts';

type Props = { present: readonly Present[]; compact: boolean };

/** Shows which teammates type in a conversation or view it. `compact`: an icon and an avatar, for rows of a list. */
export default function PresenceHints({ present, compact }: Props) {
  const typing = present.find(({ isTyping }) => isTyping);
  const name = (typing ?? present[0])?.name ?? '';
  const Icon = typing ? PencilLine : Eye;
  const icon = <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />;
  const sentence = describePresent(present);
  if (compact) {
    return (
      <span title={sentence} className="inline-flex shrink-0 items-center gap-1 text-accent-ink">
        {icon}
        <Avatar name={name} size="small" />
        <span className="sr-only">{sentence}</span>
      </span>
    );
  }
  return (
    <span
      className={cx(
        'flex items-center gap-1.5 pb-1.5 pl-1 text-xs',
        typing ? 'text-note-ink' : 'text-ink-soft',
      )}
    >
      {icon}
      <span className="min-w-0 truncate">{sentence}</span>
    </span>
  );
}
