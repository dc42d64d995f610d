// Push notifications.

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.href));
});

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));

/** Shows a notification and the count on the app's icon, unless the teammate looks at a page of the workspace. */
async function show(data) {
  const { id, workspaceId, title, body, href, unread } = parse(data);
  const workspaces = await openWorkspaces();
  // Messages of the previous release name no workspace.
  const isOpen = workspaceId === undefined || workspaces.includes(workspaceId);
  // The icon counts what the bell of the open workspace counts.
  if ((isOpen || workspaces.length === 0) && 'setAppBadge' in self.navigator)
    await self.navigator.setAppBadge(unread).catch(() => undefined);
  const pages = await self.clients.matchAll({ type: 'window' });
  // Their bell shows it, and an open page announces it with a sound.
  if (isOpen && pages.some(({ focused }) => focused)) return;
  // The same tag as the desktop notification of an open page: a conversation has one notification on the device.
  const [shown] = await self.registration.getNotifications({ tag: href });
  if (shown?.data?.id === id) return;
  await self.registration.showNotification(title, {
    body,
    tag: href,
    renotify: true,
    icon: '/app-icons/icon-192.png',
    badge: '/app-icons/badge-96.png',
    data: { id, href },
  });
}

/** Returns the ids of the workspaces whose pages are open: one page of each holds its lock (app/components/notifications/announce.ts). */
async function openWorkspaces() {
  const { held = [] } = (await self.navigator.locks?.query().catch(() => undefined)) ?? {};
  return held.flatMap(({ name }) =>
    name.startsWith('notifications:') ? [name.slice('notifications:'.length)] : [],
  );
}

/** A message that cannot be read still has to show something, or the browser shows its own text. */
function parse(data) {
  const unknown = { id: '', title: 'New notification', body: '', href: '/inbox', unread: undefined };
  try {
    return { ...unknown, ...data.json() };
  } catch {
    return unknown;
  }
}

/** Opens a path of the app, in a page that is open if there is one. */
async function open(href) {
  const url = new URL(href ?? '/inbox', self.location.origin);
  if (url.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0];
  if (!page) return void (await self.clients.openWindow(url.href));
  await page.focus().catch(() => undefined);
  // Browsers refuse to navigate a page that another worker controls.
  await page.navigate(url.href).catch(() => self.clients.openWindow(url.href));
}

/**
 * Subscribes again when the push service has ended the subscription, and tells the service. Without the teammate who had turned push
 * notifications on, the browser stays unsubscribed.
 */
async function renew({ oldSubscription, newSubscription }) {
  const options = { userVisibleOnly: true, applicationServerKey: SERVICE.pushKey };
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(options));
  const { endpoint, keys } = subscription.toJSON();
  const response = await fetch('/push-subscription', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ replaced: oldSubscription?.endpoint ?? null, endpoint, ...keys }),
  });
  if (!response.ok) await subscription.unsubscribe();
}
