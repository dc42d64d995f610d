import { Bell } from 'lucide-react';
import Link from 'next/link';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import type { NotificationsView, NotificationView } from '#server/screens/notifications.ts';

type Props = Pick<NotificationsView, 'newest' | 'unread'> & {
  onMarkAll: () => void;
  onOpen: (id: string, isRead: boolean) => void;
  onClose: () => void;
};

/** The newest notifications, in the popover of the bell. */
export default function NotificationList({ newest, unread, onMarkAll, onOpen, onClose }: Props) {
  const [first] = newest;
  return (
    <>
      <div className="flex min-h-11 items-center justify-between gap-2 border-b py-1 pr-1.5 pl-4">
        <h2 className="text-sm">Notifications</h2>
        {first ? (
          <button
            type="button"
            onClick={onMarkAll}
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
                onOpen={() => onOpen(notification.id, notification.isRead)}
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
          onClick={onClose}
          className="focus-inset flex h-8 w-fit items-center rounded-lg px-2.5 font-medium text-accent-ink text-list hover:bg-hover max-md:h-11"
        >
          Notification settings
        </Link>
      </div>
    </>
  );
}

type RowProps = { notification: NotificationView; onOpen: () => void };

const rowClass = 'focus-inset grid grid-cols-[0.5rem_minmax(0,1fr)] gap-x-3 px-4 py-3 text-list';

/** A notification with a link. Unread ones have a dot, bold text and a hidden label. */
function NotificationRow({ notification, onOpen }: RowProps) {
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
