import { queryOptions } from '@tanstack/react-query';
import type { ScreensClient } from '#app/components/live/screens-provider.tsx';
import type { NotificationsView } from '#server/screens/notifications.ts';

/** The teammate's notifications of the open workspace; what happened reads them again, not time. */
export function notificationsQuery(screens: ScreensClient) {
  return queryOptions({
    queryKey: ['notifications', 'list'] as const,
    queryFn: ({ signal }): Promise<NotificationsView> =>
      screens.notifications.list.query(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
