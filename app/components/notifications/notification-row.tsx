'use client';

import Link from 'next/link';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import type { NotificationView } from '#server/screens/notifications.ts';

type Props = { notification: NotificationView; onOpen: () => void };

const rowClass = 'focus-inset grid grid-cols-[0.5rem_minmax(0,1fr)] gap-x-3 px-4 py-3 text-list';

/** What happened, when, and the way there. What is unread has a dot and stronger letters, and is said to be. */
export function NotificationRow({ notification, onOpen }: Props) {
  const { sentence, href, createdAt, isRead } = notification;
  const content = (
    <>
      <span
        aria-hidden
        className={cx('mt-1.5 size-2 rounded-full', isRead ? 'bg-transparent' : 'bg-accent')}
      />
      <span className="grid gap-0.5">
        <span className={cx('line-clamp-3 [overflow-wrap:anywhere]', !isRead && 'font-medium')}>
          {isRead ? null : <span className="sr-only">Unread: </span>}
          {sentence}
        </span>
        <RelativeTime at={createdAt} className="justify-self-start text-ink-soft text-xs" />
      </span>
    </>
  );
  if (!href) return <div className={rowClass}>{content}</div>;
  return (
    <Link href={href} prefetch={false} onClick={onOpen} className={cx(rowClass, 'hover:bg-hover')}>
      {content}
    </Link>
  );
}
