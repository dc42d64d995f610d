import type { addPushDevice } from '#app/components/settings/notifications/actions.ts';
import { registerServiceWorker } from '#app/components/shell/installed-app.ts';

/** Why a browser shows no push notifications, or what it does. */
export type PushState = 'unsupported' | 'add_to_home_screen' | 'blocked' | 'off' | 'on';

type Subscription = Parameters<typeof addPushDevice>[0];

/** Returns what this browser can do, without asking for a permission. */
export async function readPushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) {
    return isIos() ? 'add_to_home_screen' : 'unsupported';
  }
  if (Notification.permission === 'denied') return 'blocked';
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'off';
}

/** iOS has push notifications only for apps on the home screen. An iPad pretends to be a Mac, but has a touch screen. */
export function isIos(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
  );
}

/**
 * Asks for the permission and subscribes this browser. Must be called by a click.
 * @returns null when the permission was not given
 */
export async function subscribe(publicKey: string): Promise<Subscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  await registerServiceWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // A subscription for other keys is refused by the push service.
  if (before && toBase64Url(before.options.applicationServerKey) !== publicKey) await before.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  return {
    endpoint: subscription.endpoint,
    p256dh: toBase64Url(subscription.getKey('p256dh')),
    auth: toBase64Url(subscription.getKey('auth')),
  };
}

/** Ends the subscription of this browser. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function toBase64Url(buffer: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(buffer ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
