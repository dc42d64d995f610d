import { queryOptions } from '@tanstack/react-query';
import type { ScreensClient } from '#app/components/live/page-data.ts';
import type { NotificationsView } from '#server/screens/notifications.ts';

/** The teammate's notifications in the open workspace, refetched by live messages, not by age. */
export function notificationsQuery(screens: ScreensClient) {
  return queryOptions({
    queryKey: ['notifications', 'list'] as const,
    queryFn: ({ signal }): Promise<NotificationsView> =>
      screens.notifications.list.query(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
