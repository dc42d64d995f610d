import { Lock } from 'lucide-react';
import { ThroughPlatform } from '#app/components/inbox/through-platform.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import type { ThreadItem } from '#server/conversations/views.ts';

/** An internal note, set apart so that nobody takes it for a message. */
export function ThreadNote({ item }: { item: Extract<ThreadItem, { kind: 'note' }> }) {
  return (
    <div className="grid gap-1 rounded-lg border border-note-line bg-note px-3 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2 text-list text-note-ink">
        <Lock aria-hidden size={13} className="self-center" />
        <span className="font-semibold">Internal note{item.authorName ? ` by ${item.authorName}` : ''}</span>
        {item.throughPlatform ? <ThroughPlatform /> : null}
        <RelativeTime at={item.createdAt} className="text-xs" />
      </p>
      <div className="whitespace-pre-wrap [overflow-wrap:anywhere]">{item.content}</div>
    </div>
  );
}
