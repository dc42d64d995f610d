'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServed } from '#app/components/live/use-served.ts';
import { markAllRead, markRead } from '#app/components/notifications/actions.ts';
import { notificationsQuery } from '#app/components/notifications/notifications-query.ts';
import { withoutUnread } from '#app/components/notifications/without-unread.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import { lazyPart } from '#app/components/ui/lazy-part.tsx';
import { CountBadge, Popover } from '#app/components/ui/popover.tsx';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import type { Outcome } from '#app/lib/outcome.ts';
import type { NotificationsView } from '#server/screens/notifications.ts';

const NotificationList = lazyPart(
  () => import('#app/components/notifications/notification-list.tsx'),
  () => <p className="px-4 py-3 text-ink-soft text-list">Loading…</p>,
);

/** Upper bound of the count (see `countUnread`). */
const COUNTED_MAX = 99;

/** Bell and popover with the newest notifications. Opening a notification marks it as read. */
function NotificationPopover({ view }: { view: NotificationsView }) {
  const [open, setOpen] = useState(false);
  const mark = useMarkRead();
  const { newest, unread } = view;
  const [first] = newest;

  const markAll = () => {
    if (unread > 0 && first) mark({ which: 'all', save: () => markAllRead(first.createdAt) });
  };
  const openOne = (id: string, isRead: boolean) => {
    setOpen(false);
    if (!isRead) mark({ which: id, save: () => markRead(id) });
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
      <NotificationList
        newest={newest}
        unread={unread}
        onMarkAll={markAll}
        onOpen={openOne}
        onClose={() => setOpen(false)}
      />
    </Popover>
  );
}

type Marked = { which: string | 'all'; save: () => Promise<Outcome> };

/** Shows notifications as read and saves that. */
function useMarkRead() {
  const queries = useQueryClient();
  const { queryKey } = notificationsQuery(useScreens());
  const { mutate } = useMutation({
    mutationFn: async ({ save }: Marked) => {
      const { done } = await toastOutcome(save(), { failed: 'Could not mark as read' });
      if (!done) throw new Error('The notifications were not marked as read.');
    },
    onMutate: async ({ which }) => {
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData(queryKey);
      queries.setQueryData(queryKey, (shown) => shown && withoutUnread(shown, which));
      return { before };
    },
    onError: (_error, _marked, context) => {
      if (context) queries.setQueryData(queryKey, context.before);
    },
    onSettled: () => refetchTopic('notifications'),
  });
  return mutate;
}

function labelOf(unread: number): string {
  if (unread === 0) return 'Notifications';
  return `Notifications, ${unread > COUNTED_MAX ? `more than ${COUNTED_MAX}` : unread} unread`;
}

/** Bell with live updates. */
export function LiveNotifications({ served }: { served: NotificationsView }) {
  const query = notificationsQuery(useScreens());
  useServed(query.queryKey, served);
  return <NotificationPopover view={useQuery(query).data ?? served} />;
}
