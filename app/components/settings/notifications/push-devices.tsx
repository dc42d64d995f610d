'use client';

import { useEffect, useState } from 'react';
import { DeviceRow, deviceName } from '#app/components/settings/device-row.tsx';
import {
  addPushDevice,
  removePushDevice,
  testPushDevice,
} from '#app/components/settings/notifications/actions.ts';
import {
  type PushState,
  readPushState,
  subscribe,
  unsubscribe,
} from '#app/components/settings/notifications/push-device.ts';
import { Button } from '#app/components/ui/button.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { PushDevice } from '#server/screens/notification-views.ts';

const states: Record<PushState, string> = {
  on: 'This device shows push notifications, also while the app is closed.',
  off: 'Push notifications are off on this device.',
  blocked: 'This browser blocks notifications. Allow them for this site in the browser’s settings.',
  add_to_home_screen:
    'Add the app to your Home Screen first: tap Share, then Add to Home Screen. Then open it from there and turn on push notifications.',
  unsupported: 'This browser has no push notifications.',
};

type Props = { devices: PushDevice[]; publicKey: string };

/** Turns push notifications of this device on, and lists the teammate's devices. */
export function PushDevices({ devices, publicKey }: Props) {
  const [found, setFound] = useState<PushState | null>(null);
  const isAdded = devices.some(({ isCurrent }) => isCurrent);
  useEffect(() => {
    // The list changes when this device is added or removed.
    void readPushState().then((state) => setFound(state === 'on' && !isAdded ? 'off' : state));
  }, [isAdded]);
  const turnOn = useAction(
    async () => {
      const subscription = await subscribe(publicKey).catch(() => undefined);
      if (subscription === undefined) {
        return {
          done: false as const,
          problem: 'The browser could not reach its push service. Try again later.',
          fields: {},
        };
      }
      if (subscription) return addPushDevice(subscription);
      setFound(await readPushState());
      return { done: true as const, value: undefined };
    },
    { failed: 'Could not turn on push notifications' },
  );
  const test = useAction(testPushDevice, {
    failed: 'Could not send a test notification',
    done: 'Test notification sent',
  });
  return (
    <section aria-labelledby="push" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="push" tabIndex={-1} className="text-base">
        Push notifications
      </h2>
      <p className="max-w-[65ch] text-ink-soft text-list" role="status">
        {found ? states[found] : null}
      </p>
      {found === 'off' ? (
        <Button
          className="w-fit max-md:w-full"
          disabled={turnOn.pending}
          aria-busy={turnOn.pending}
          onClick={() => turnOn.start()}
        >
          Turn on for this device
        </Button>
      ) : null}
      {found === 'on' ? (
        <Button
          variant="secondary"
          className="w-fit max-md:w-full"
          disabled={test.pending}
          aria-busy={test.pending}
          onClick={() => test.start()}
        >
          Send a test notification
        </Button>
      ) : null}
      {devices.length > 0 ? (
        <ul aria-labelledby="push" className="divide-y rounded-lg border">
          {devices.map((device) => (
            <Item key={device.id} device={device} />
          ))}
        </ul>
      ) : null}
      <p className="max-w-[65ch] text-ink-soft text-list">
        A push notification names the teammate or contact and the subject, never the text of a message. A
        device gets none after you sign out of it.
      </p>
      <FocusWhenLost on={devices.length} goTo="push" />
    </section>
  );
}

function Item({ device: { id, device, addedAt, lastUsedAt, isCurrent } }: { device: PushDevice }) {
  const remove = useAction(
    async () => {
      if (isCurrent) await unsubscribe().catch(() => undefined);
      return removePushDevice(id);
    },
    { failed: 'Could not remove the device', done: 'Device removed' },
  );
  const name = deviceName(device);
  return (
    <DeviceRow
      name={name}
      isCurrent={isCurrent}
      details={
        <>
          {lastUsedAt ? 'Last notified' : 'Added'} <RelativeTime at={lastUsedAt ?? addedAt} />
        </>
      }
      action={
        <Button
          variant="quiet"
          aria-label={`Remove ${name}`}
          disabled={remove.pending}
          aria-busy={remove.pending}
          onClick={() => remove.start()}
        >
          Remove
        </Button>
      }
    />
  );
}
