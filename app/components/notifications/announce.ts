import { listenTo, listenWhileHidden } from '#app/components/live/live-source.ts';
import { refreshSoon } from '#app/components/live/refresh-soon.ts';
import {
  createNotification,
  desktopPermission,
} from '#app/components/notifications/desktop-notifications.ts';
import { clearTabCount, showTabCount } from '#app/components/notifications/tab-count.ts';
import type { AlertView } from '#server/screens/notification-views.ts';
import type { NotificationsView } from '#server/screens/notifications.ts';

type Shown = Pick<NotificationsView, 'unread' | 'announces'>;

/** `update` shows the current count. */
export type Announcements = { update: (shown: Shown) => void; stop: () => void };

/** Message between the tabs of a workspace. */
type TabMessage = { unread: number };

/**
 * Starts the announcements of a page. One tab of a workspace leads: the one that was visible last. It stays
 * connected while hidden, announces new notifications, and tells the other tabs the count.
 * @param loadAlerts returns new notifications that are to be announced
 */
export function startAnnouncements(
  workspaceId: string,
  loadAlerts: () => Promise<AlertView[]>,
): Announcements {
  const name = `notifications:${workspaceId}`;
  const tabs = new BroadcastChannel(name);
  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => showTabCount(data.unread);
  let shown: Shown | undefined;
  /** Time at which this tab became the leader, on its own clock. Null while another tab leads. */
  let leadsSince: number | null = null;
  const seen = new Set<string>();

  const announce = async () => {
    if (leadsSince === null || !shown || !canAnnounce(shown)) return;
    const since = leadsSince;
    const found = await loadAlerts().catch(() => []);
    // The previous leader has announced older ones.
    const maxAgeMs = performance.now() - since;
    const fresh = found.filter(({ id, ageMs }) => ageMs < maxAgeMs && !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    announceAll(fresh);
  };
  const target = { refresh: () => void announce() };
  const unsubscribe = listenTo('notifications', () => refreshSoon(target));
  const stopLeading = lead(name, (leads) => {
    // The next leader announces only newer ones.
    if (!leads) void announce();
    leadsSince = leads ? performance.now() : null;
    listenWhileHidden(leads);
  });
  return {
    update: (next) => {
      shown = next;
      showTabCount(next.unread);
      if (leadsSince !== null) tabs.postMessage({ unread: next.unread } satisfies TabMessage);
    },
    stop: () => {
      stopLeading();
      unsubscribe();
      tabs.close();
      clearTabCount();
    },
  };
}

/**
 * Keeps a web lock that one tab holds. A tab that becomes visible takes the lock from the others, which wait for it.
 * Calls `onChange` when this tab starts or stops holding it.
 */
function lead(name: string, onChange: (leads: boolean) => void): () => void {
  // Only secure contexts have locks. Without them there are no desktop notifications either.
  if (!('locks' in navigator)) return () => undefined;
  let waiting: AbortController | undefined;
  let release: (() => void) | undefined;
  let isStopped = false;
  const request = (steal: boolean) => {
    waiting?.abort();
    const own = new AbortController();
    waiting = own;
    navigator.locks
      .request(name, steal ? { steal } : { signal: own.signal }, () => {
        onChange(true);
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      })
      .catch(() => undefined)
      .finally(() => {
        // A newer request of this tab replaced this one.
        if (waiting !== own) return;
        release = undefined;
        onChange(false);
        if (!isStopped) request(false);
      });
  };
  const follow = () => {
    if (document.visibilityState === 'visible' && !release) request(true);
  };
  document.addEventListener('visibilitychange', follow);
  request(document.visibilityState === 'visible');
  return () => {
    isStopped = true;
    document.removeEventListener('visibilitychange', follow);
    waiting?.abort();
    release?.();
  };
}

function canAnnounce({ announces }: Shown): boolean {
  return announces.sound || (announces.desktop && desktopPermission() === 'granted');
}

function announceAll(alerts: AlertView[]): void {
  if (alerts.some(({ sound }) => sound)) playSound();
  // A teammate who looks at the page sees the bell.
  if (document.hasFocus() || desktopPermission() !== 'granted') return;
  for (const alert of alerts.filter(({ desktop }) => desktop)) void showOnDesktop(alert);
}

/**
 * Shows a desktop notification. In a browser with push notifications it has the tag of the push message about the same
 * conversation, so that the device shows one of them, whichever comes first.
 */
async function showOnDesktop({ id, sentence, href }: AlertView): Promise<void> {
  const title = document.title.replace(/^\(\d+\+?\) /, '');
  const registration = await pushRegistration().catch(() => undefined);
  if (registration) {
    const tag = href ?? '/inbox';
    const [shown] = await registration.getNotifications({ tag });
    if (shown?.data?.id === id) return;
    const data = { id, href: tag };
    return registration.showNotification(title, {
      body: sentence,
      tag,
      icon: '/app-icons/icon-192.png',
      data,
    });
  }
  const notification = createNotification(title, {
    body: sentence,
    tag: id,
    icon: '/icon.svg',
  });
  if (!notification) return;
  notification.onclick = () => {
    window.focus();
    if (href) window.location.assign(href);
    notification.close();
  };
}

/** Returns the service worker's registration if this browser is subscribed to push notifications. */
async function pushRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration('/');
  return (await registration?.pushManager?.getSubscription()) ? registration : undefined;
}

/** Two short tones in Hz, each with its start in seconds. */
const TONES = [
  { frequency: 660, start: 0 },
  { frequency: 880, start: 0.12 },
];
const TONE_SECONDS = 0.18;
const VOLUME = 0.08;

/** Plays a short sound. Browsers mute pages that were never clicked. */
function playSound(): void {
  const context = new AudioContext();
  const volume = context.createGain();
  volume.connect(context.destination);
  volume.gain.value = VOLUME;
  for (const { frequency, start } of TONES) {
    const tone = context.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(context.currentTime + start);
    tone.stop(context.currentTime + start + TONE_SECONDS);
    if (start > 0) tone.onended = () => void context.close();
  }
}
