import { CircleAlert } from 'lucide-react';
import { ThroughPlatform } from '#app/components/inbox/through-platform.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import type { ThreadItem } from '#server/conversations/views.ts';

type Props = { item: Extract<ThreadItem, { kind: 'message' }>; contactName: string | null };

/** A message: the contact's at the left, the team's at the right on a tint. */
export function ThreadMessage({ item, contactName }: Props) {
  const author = item.authorName ?? (item.fromContact ? contactName : null) ?? 'Unknown';
  return (
    <div className={cx('flex gap-2.5', !item.fromContact && 'flex-row-reverse')}>
      <Avatar name={author} tone={item.fromContact ? 'neutral' : 'accent'} />
      <div className={cx('grid min-w-0 max-w-[85%] gap-1', !item.fromContact && 'justify-items-end')}>
        <p
          className={cx(
            'flex flex-wrap items-baseline gap-x-2 text-list',
            !item.fromContact && 'justify-end',
          )}
        >
          <span className="font-semibold">{author}</span>
          {item.throughPlatform ? <ThroughPlatform /> : null}
          <RelativeTime at={item.createdAt} className="text-ink-faint text-xs" />
        </p>
        <div
          dir="auto"
          className={cx(
            'w-fit max-w-full whitespace-pre-wrap rounded-lg px-3 py-2 [overflow-wrap:anywhere]',
            item.fromContact ? 'bg-hover' : 'bg-accent-soft',
          )}
        >
          {item.content}
        </div>
        {item.deliveryProblem ? (
          <p className="flex items-start gap-1.5 text-danger-ink text-list">
            <CircleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
            <span>{item.deliveryProblem}</span>
          </p>
        ) : null}
      </div>
    </div>
  );
}
