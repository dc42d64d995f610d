/** Maximum characters of a `target_url` (docs/spec.md §8). */
export const TARGET_URL_MAX_LENGTH = 500;

/**
 * `https://` and a host, up to the first `/`, `?`, `#` or the end. Excludes everything that parsers interpret
 * differently.
 */
const SHAPE = /^https:\/\/([a-z0-9.-]+)(?:[/?#]|$)/i;
const UNSAFE = /[\s\\\p{Cc}]/u;

/**
 * Returns whether a text is a hook URL of the platform: `https`, exactly the host `hooksHost` in any case, no
 * explicit port (not even 443), no user info (docs/spec.md §4.2, POST /hooks; docs/rulings.md 5.2). Checks
 * both the text and the parsed URL, so that no spelling has one host here and another one when delivering.
 */
export function isPlatformHookUrl(text: string, hooksHost: string): boolean {
  const host = SHAPE.exec(text)?.[1]?.toLowerCase();
  if (host !== hooksHost.toLowerCase() || UNSAFE.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    url.protocol === 'https:' &&
    url.host === hooksHost.toLowerCase() &&
    url.username === '' &&
    url.password === ''
  );
}
