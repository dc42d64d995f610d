import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import type { ThreadItem } from '#server/conversations/views.ts';

/** Something that happened: a line between the messages, with what was said about it. */
export function ThreadEntry({ item }: { item: Extract<ThreadItem, { kind: 'entry' }> }) {
  return (
    <p className="flex items-center gap-3 text-ink-soft text-xs before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      <span className="max-w-[80%] text-center text-balance">
        {item.sentence} <RelativeTime at={item.createdAt} className="whitespace-nowrap text-ink-faint" />
        {item.quote === null ? null : (
          <q
            dir="auto"
            className="mt-0.5 block whitespace-pre-wrap text-ink text-list [overflow-wrap:anywhere]"
          >
            {item.quote}
          </q>
        )}
      </span>
    </p>
  );
}
