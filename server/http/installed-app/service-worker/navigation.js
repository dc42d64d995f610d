// The page without a connection. It is the only page that is stored, because what others show depends on the session.

const PAGES = 'pages';

self.addEventListener('install', (event) => event.waitUntil(storePage()));
// The browser requests a page while the worker starts, with the same headers as without a worker.
self.addEventListener('activate', (event) => event.waitUntil(self.registration.navigationPreload?.enable()));

self.addEventListener('fetch', (event) => {
  const { method, mode, destination } = event.request;
  // Without preloading, the worker would have to request the page itself. Then cookies and headers would be those of our own site.
  if (method !== 'GET' || mode !== 'navigate' || destination !== 'document' || !event.preloadResponse) return;
  event.respondWith(load(event));
});

/** Stores the page of this version. */
async function storePage() {
  const cache = await self.caches.open(PAGES);
  await cache.add(new Request(SERVICE.noConnectionPath, { cache: 'reload' }));
  for (const { url } of await cache.keys()) {
    if (!url.endsWith(SERVICE.noConnectionPath)) await cache.delete(url);
  }
}

async function load({ preloadResponse, request }) {
  try {
    // Undefined when the navigation began before preloading was on.
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return (await self.caches.match(SERVICE.noConnectionPath)) ?? Response.error();
  }
}
