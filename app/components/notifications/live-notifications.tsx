'use client';

import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServedQuery } from '#app/components/live/use-served-query.ts';
import { NotificationPopover } from '#app/components/notifications/notification-popover.tsx';
import { notificationsQuery } from '#app/components/notifications/notifications-query.ts';
import type { NotificationsView } from '#server/screens/notifications.ts';

/** The bell, kept up to date. */
export function LiveNotifications({ served }: { served: NotificationsView }) {
  const screens = useScreens();
  const { data = served } = useServedQuery(notificationsQuery(screens), served);
  return <NotificationPopover view={data} />;
}
