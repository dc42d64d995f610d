import { createStore } from 'zustand/vanilla';

/** Event `beforeinstallprompt` of Chrome and Edge. */
type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> };

/** The browser's offer to install the app, once it has made one. It can be used once. */
export const installOffer = createStore<{ prompt: InstallPrompt | null }>(() => ({ prompt: null }));

/** Returns whether the page is shown by the installed app. Safari on iOS has its own property. */
export function isInstalledApp(): boolean {
  return (
    window.matchMedia('(display-mode: standalone)').matches ||
    ('standalone' in navigator && navigator.standalone === true)
  );
}

/** Registers the service worker: for push notifications, shared files and the page without a connection. */
export async function registerServiceWorker(): Promise<void> {
  await navigator.serviceWorker.register('/service-worker.js', { scope: '/', updateViaCache: 'none' });
}

// Loaded when the page is idle, and by the settings. A browser tab needs no service worker unless it gets push notifications.
if (typeof window !== 'undefined') {
  const register = () => void registerServiceWorker().catch(() => undefined);
  window.addEventListener('beforeinstallprompt', (event) => {
    // The settings offer it, instead of a banner over the inbox.
    event.preventDefault();
    installOffer.setState({ prompt: event as InstallPrompt });
  });
  window.addEventListener('appinstalled', () => {
    installOffer.setState({ prompt: null });
    register();
  });
  if (isInstalledApp()) register();
}
