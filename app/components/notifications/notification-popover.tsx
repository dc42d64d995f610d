'use client';

import { Bell } from 'lucide-react';
import Link from 'next/link';
import { useOptimistic, useState, useTransition } from 'react';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServedQuery } from '#app/components/live/use-served-query.ts';
import { markAllRead, markRead } from '#app/components/notifications/actions.ts';
import { notificationsQuery } from '#app/components/notifications/notifications-query.ts';
import { withoutUnread } from '#app/components/notifications/without-unread.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { CountBadge, Popover } from '#app/components/ui/popover.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { cx } from '#app/lib/cx.ts';
import type { Outcome } from '#app/lib/outcome.ts';
import type { NotificationsView, NotificationView } from '#server/screens/notifications.ts';

/** Upper bound of the count (see `countUnread`). */
const COUNTED_MAX = 99;

/** Bell and popover with the newest notifications. Opening a notification marks it as read. */
function NotificationPopover({ view }: { view: NotificationsView }) {
  const [open, setOpen] = useState(false);
  const [, start] = useTransition();
  const [{ newest, unread }, showRead] = useOptimistic(view, withoutUnread);
  const [first] = newest;

  const mark = (which: string | 'all', save: () => Promise<Outcome>) =>
    start(async () => {
      showRead(which);
      await toastOutcome(save(), { failed: 'Could not mark as read' });
      await refetchTopic('notifications');
    });
  const markAll = () => {
    if (unread > 0 && first) mark('all', () => markAllRead(first.createdAt));
  };
  const openOne = (id: string, isRead: boolean) => {
    setOpen(false);
    if (!isRead) mark(id, () => markRead(id));
  };

  return (
    <Popover
      control={{ open, onOpenChange: setOpen }}
      trigger={<IconButton icon={Bell} label={labelOf(unread)} className="focus-inset" />}
      badge={<CountBadge count={unread} max={COUNTED_MAX} className="-top-0.5 left-1/2 md:-top-1" />}
      aria-label="Notifications"
      align="start"
      className="z-50 flex max-h-[min(34rem,var(--radix-popover-content-available-height))] w-96 flex-col"
    >
      <div className="flex min-h-11 items-center justify-between gap-2 border-b py-1 pr-1.5 pl-4">
        <h2 className="text-sm">Notifications</h2>
        {first ? (
          <button
            type="button"
            onClick={markAll}
            aria-disabled={unread === 0}
            className={cx(
              'focus-inset h-8 rounded-lg px-2.5 font-medium text-list max-md:h-11',
              unread > 0 ? 'text-accent-ink hover:bg-hover' : 'cursor-default text-ink-faint',
            )}
          >
            Mark all as read
          </button>
        ) : null}
      </div>
      {first ? (
        <ul className="scroll-pane divide-y">
          {newest.map((notification) => (
            <li key={notification.id}>
              <NotificationRow
                notification={notification}
                onOpen={() => openOne(notification.id, notification.isRead)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState icon={Bell} title="No notifications yet">
          <p>
            You’ll be notified here when a conversation is assigned to you, someone mentions you, a contact
            writes to you, or a workflow needs attention.
          </p>
        </EmptyState>
      )}
      <div className="border-t p-1.5">
        <Link
          href="/settings/notifications"
          prefetch={false}
          onClick={() => setOpen(false)}
          className="focus-inset flex h-8 w-fit items-center rounded-lg px-2.5 font-medium text-accent-ink text-list hover:bg-hover max-md:h-11"
        >
          Notification settings
        </Link>
      </div>
    </Popover>
  );
}

function labelOf(unread: number): string {
  if (unread === 0) return 'Notifications';
  return `Notifications, ${unread > COUNTED_MAX ? `more than ${COUNTED_MAX}` : unread} unread`;
}

type Props = { notification: NotificationView; onOpen: () => void };

const rowClass = 'focus-inset grid grid-cols-[0.5rem_minmax(0,1fr)] gap-x-3 px-4 py-3 text-list';

/** A notification with a link. Unread ones have a dot, bold text and a hidden label. */
function NotificationRow({ notification, onOpen }: Props) {
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

/** Bell with live updates. */
export function LiveNotifications({ served }: { served: NotificationsView }) {
  const screens = useScreens();
  const { data = served } = useServedQuery(notificationsQuery(screens), served);
  return <NotificationPopover view={data} />;
}
