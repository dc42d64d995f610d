'use client';

import { Eye, PencilLine } from 'lucide-react';
import { describePresent, usePresent } from '#app/components/live/presence.ts';
import { cx } from '#app/lib/cx.ts';

/** Shows above the composer which teammates type in this conversation or view it. */
export function ComposerPresence({ conversationId }: { conversationId: string }) {
  const present = usePresent(conversationId);
  const isTyping = present.some((teammate) => teammate.isTyping);
  const Icon = isTyping ? PencilLine : Eye;
  return (
    <p role="status" className={cx('text-xs', isTyping ? 'text-note-ink' : 'text-ink-soft')}>
      {present.length > 0 ? (
        <span className="flex items-center gap-1.5 pb-1.5 pl-1">
          <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
          <span className="min-w-0 truncate">{describePresent(present)}</span>
        </span>
      ) : null}
    </p>
  );
}
