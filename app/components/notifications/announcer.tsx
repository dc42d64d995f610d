'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import type { Announcements } from '#app/components/notifications/announce.ts';
import { notificationsQuery } from '#app/components/notifications/notifications-query.ts';
import { whenIdle } from '#app/components/ui/when-idle.ts';

/**
 * Shows the number of unread notifications in the tab's title and icon, and announces new ones with desktop
 * notifications and sounds. Renders nothing.
 */
export function Announcer({ workspaceId }: { workspaceId: string }) {
  const screens = useScreens();
  // The bell fetches this query. This component only observes it.
  const { data } = useQuery({ ...notificationsQuery(screens), enabled: false });
  const latest = useRef(data);
  const started = useRef<Announcements>(undefined);
  useEffect(() => {
    latest.current = data;
    if (data) started.current?.update(data);
  }, [data]);
  useEffect(() => {
    let isStopped = false;
    const cancel = whenIdle(async () => {
      const { startAnnouncements } = await import('#app/components/notifications/announce.ts');
      if (isStopped) return;
      started.current = startAnnouncements(workspaceId, () => screens.notifications.alerts.query());
      if (latest.current) started.current.update(latest.current);
    });
    return () => {
      isStopped = true;
      cancel();
      started.current?.stop();
      started.current = undefined;
    };
  }, [screens, workspaceId]);
  return null;
}
