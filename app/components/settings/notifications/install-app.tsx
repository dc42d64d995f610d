'use client';

import { type ReactNode, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { isIos } from '#app/components/settings/notifications/push-device.ts';
import { installOffer, isInstalledApp } from '#app/components/shell/installed-app.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';

/** Says how to install the app, in a browser that can. Renders nothing in the installed app. */
export function InstallApp() {
  const { prompt } = useStore(installOffer);
  // The server does not know the browser.
  const browser = useSyncExternalStore(noUpdates, readBrowser, () => 'unknown');
  if (browser === 'installed') return null;
  if (prompt) {
    return (
      <Install>
        <p className="max-w-[65ch] text-ink-soft text-list">
          The app opens without the browser’s bars, and its icon shows the number of unread notifications. On
          Android you can share files from other apps with it.
        </p>
        <Button
          className="w-fit max-md:w-full"
          onClick={() => {
            installOffer.setState({ prompt: null });
            void prompt.prompt();
          }}
        >
          Install the app
        </Button>
      </Install>
    );
  }
  if (browser !== 'ios') return null;
  return (
    <Install>
      <p className="max-w-[65ch] text-ink-soft text-list">
        Tap Share, then Add to Home Screen. On an iPhone or iPad only the installed app gets push
        notifications.
      </p>
    </Install>
  );
}

function Install({ children }: { children: ReactNode }) {
  return (
    <Card className="p-5 max-md:p-4">
      <section aria-labelledby="install" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h2 id="install" className="text-base">
          Install the app
        </h2>
        {children}
      </section>
    </Card>
  );
}

const noUpdates = () => () => undefined;

function readBrowser(): 'installed' | 'ios' | 'other' {
  if (isInstalledApp()) return 'installed';
  return isIos() ? 'ios' : 'other';
}
