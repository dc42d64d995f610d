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

// Loaded when the page is idle. A browser tab needs no service worker unless it gets push notifications.
if (typeof window !== 'undefined' && 'serviceWorker' in navigator) {
  const register = () => void registerServiceWorker().catch(() => undefined);
  window.addEventListener('appinstalled', register);
  if (isInstalledApp()) register();
}
