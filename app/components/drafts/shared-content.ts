/** Written by the service worker (server/http/installed-app/service-worker/share.js), and removed at sign-out (`forgetStored`). */
const SHARED_CACHE = 'shared';
const MAX_AGE_MS = 3_600_000;
const AT = 'X-Shared-At';
/** Teammate who opened the content, in a header of the stored form. */
const USER = 'X-User-Id';

/** Text, possibly empty, and files that another app shared. */
export type SharedContent = { text: string; files: File[] };

type Storage = Pick<CacheStorage, 'has' | 'open' | 'delete'>;

type Which = { id: string; userId: string; storage?: Storage; now?: number };

/**
 * Returns what was shared under an id, and from now on only to this teammate. Returns null for an unknown id, after an hour, and for
 * what another teammate of this browser opened.
 */
export async function openShared({
  id,
  userId,
  storage = caches,
  now = Date.now(),
}: Which): Promise<SharedContent | null> {
  const path = `/share/${encodeURIComponent(id)}`;
  if (!(await storage.has(SHARED_CACHE))) return null;
  const cache = await storage.open(SHARED_CACHE);
  const stored = await cache.match(path);
  if (!stored) return null;
  const owner = stored.headers.get(USER);
  if (Number(stored.headers.get(AT)) < now - MAX_AGE_MS || (owner !== null && owner !== userId)) {
    await storage.delete(SHARED_CACHE);
    return null;
  }
  const headers = new Headers(stored.headers);
  headers.set(USER, userId);
  if (owner === null) await cache.put(path, new Response(await stored.clone().blob(), { headers }));
  const form = await stored.formData();
  const field = (name: string) => String(form.get(name) ?? '');
  return {
    text: sharedText({ title: field('title'), text: field('text'), url: field('url') }),
    files: form.getAll('files').filter((entry) => entry instanceof File && entry.name !== '') as File[],
  };
}

/** Removes shared content that a teammate has opened. The rest stays, because the person who signs in next may have shared it. */
export async function dropOpenedShared(storage: Storage = caches): Promise<void> {
  if (!(await storage.has(SHARED_CACHE))) return;
  const stored = await (await storage.open(SHARED_CACHE)).matchAll();
  if (stored.some(({ headers }) => headers.has(USER))) await storage.delete(SHARED_CACHE);
}

/** Returns the parts of a shared text as lines, each once: apps repeat the address in the text, or have nothing but a title. */
export function sharedText(parts: { title: string; text: string; url: string }): string {
  const given = [parts.title, parts.text, parts.url].map((part) => part.replaceAll('\r\n', '\n').trim());
  return given
    .filter((part, at) => part !== '' && !given.some((other, n) => n !== at && includes(other, part, n < at)))
    .join('\n');
}

/** Of two equal parts the first one stays. */
function includes(other: string, part: string, isEarlier: boolean): boolean {
  return other.includes(part) && (other !== part || isEarlier);
}
