import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let shown: string[];
/** Reloads the module, as a new page does. */
const load = () => {
  vi.resetModules();
  return import('#app/components/notifications/desktop-notifications.ts');
};

beforeEach(() => {
  shown = [];
});
afterEach(() => vi.unstubAllGlobals());

test.each(['default', 'denied', 'granted'] as const)(
  'a browser with the permission %s that creates notifications has this permission, and nothing is shown to find out',
  async (permission) => {
    const { desktopPermission, createNotification } = await load();
    vi.stubGlobal('Notification', browser({ permission, creates: true }));
    expect([desktopPermission(), desktopPermission()]).toEqual([permission, permission]);
    expect(shown).toEqual([]);
    expect(createNotification('Hello')).not.toBeNull();
  },
);

test.each(['default', 'denied'] as const)(
  'Chrome for Android with the permission %s has no desktop notifications',
  async (permission) => {
    const { desktopPermission } = await load();
    vi.stubGlobal('Notification', browser({ permission, creates: false }));
    expect(desktopPermission()).toBe('unsupported');
  },
);

test('Chrome for Android that was given the permission has no desktop notifications once one could not be shown', async () => {
  const { desktopPermission, createNotification } = await load();
  vi.stubGlobal('Notification', browser({ permission: 'granted', creates: false }));
  expect(createNotification('Hello')).toBeNull();
  expect(desktopPermission()).toBe('unsupported');
});

test('a browser without notifications has no desktop notifications', async () => {
  const { desktopPermission } = await load();
  vi.stubGlobal('Notification', undefined);
  expect(desktopPermission()).toBe('unsupported');
});

function browser({ permission, creates }: { permission: NotificationPermission; creates: boolean }) {
  return class {
    static readonly permission = permission;
    constructor(title: string) {
      if (!creates)
        throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification().');
      if (permission === 'granted') shown.push(title);
    }
  };
}
