'use client';

import { useState, useSyncExternalStore } from 'react';
import {
  type DesktopPermission,
  desktopPermission,
} from '#app/components/notifications/desktop-notifications.ts';
import { Button } from '#app/components/ui/button.tsx';

const states: Record<DesktopPermission, string> = {
  granted: 'This browser shows desktop notifications while the app is open in a tab.',
  default: 'Desktop notifications are off in this browser.',
  denied: 'This browser blocks desktop notifications. Allow them for this site in the browser’s settings.',
  unsupported: 'This browser has no desktop notifications.',
};

/** Shows whether this browser shows desktop notifications, and asks for the permission on a click. */
export function BrowserNotifications() {
  const [chosen, setChosen] = useState<DesktopPermission | null>(null);
  // The server does not know the browser's permission.
  const known = useSyncExternalStore(noUpdates, desktopPermission, () => null);
  const permission = chosen ?? known;
  const ask = async () => setChosen(await Notification.requestPermission());
  return (
    <section aria-labelledby="this-browser" className="grid gap-3">
      <h2 id="this-browser" className="text-base">
        This browser
      </h2>
      <p className="max-w-[65ch] text-ink-soft text-list" role="status">
        {permission ? states[permission] : null}
      </p>
      {permission === 'default' ? (
        <Button variant="secondary" className="w-fit max-md:w-full" onClick={() => void ask()}>
          Turn on desktop notifications
        </Button>
      ) : null}
    </section>
  );
}

const noUpdates = () => () => undefined;
