// Files and texts that other apps share with the installed app (`share_target` of the manifest). The browser posts them. They are stored on
// this device and added to a draft or a new conversation by a page, so the server accepts no post from outside. A form of another site can
// post here too: a page shows what it posted, and only the teammate sends it.

/** The page `/share` reads this cache (app/components/drafts/shared-content.ts). */
const SHARED = 'shared';
/** Shared content is removed after an hour. */
const SHARED_MAX_AGE_MS = 3_600_000;

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (mode !== 'navigate') return;
  event.waitUntil(dropOldShare());
  if (method !== 'POST' || new URL(url).pathname !== '/share-target') return;
  event.respondWith(
    receive(event.request)
      .catch(() => 'problem=not_stored')
      .then((query) => Response.redirect(`${self.location.origin}/share?${query}`, 303)),
  );
});

self.addEventListener('push', (event) => event.waitUntil(dropOldShare()));

/**
 * Stores the posted form under a random id, in place of an earlier one. Only the page that is opened now gets the id, so content
 * that was shared while signed out belongs to whoever signs in there. Returns the query of that page.
 */
async function receive(request) {
  const type = request.headers.get('content-type') ?? '';
  const form = await readAtMost(SERVICE.sharedMaxBytes, request);
  if (!form) return 'problem=too_large';
  const id = self.crypto.randomUUID();
  await self.caches.delete(SHARED);
  const headers = { 'Content-Type': type, 'X-Shared-At': String(Date.now()) };
  await (await self.caches.open(SHARED)).put(`/share/${id}`, new Response(form, { headers }));
  return `id=${id}`;
}

/** Returns a body of at most `max` bytes, or null for a longer one, whose rest is not read. */
async function readAtMost(max, request) {
  // Chrome has `body` since version 105.
  const reader = (request.body ?? (await request.blob()).stream()).getReader();
  const pieces = [];
  let size = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.length;
    if (size > max) {
      await reader.cancel();
      return null;
    }
    pieces.push(piece.value);
  }
  return new Blob(pieces);
}

async function dropOldShare() {
  if (!(await self.caches.has(SHARED))) return;
  const stored = await (await self.caches.open(SHARED)).matchAll();
  const isOld = ({ headers }) => Number(headers.get('X-Shared-At')) < Date.now() - SHARED_MAX_AGE_MS;
  if (stored.every(isOld)) await self.caches.delete(SHARED);
}
