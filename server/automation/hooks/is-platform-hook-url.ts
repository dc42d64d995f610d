/** At most so many characters in a `target_url` (docs/spec.md §8). */
export const TARGET_URL_MAX_LENGTH = 500;

/** `https://` and a host, up to the first `/`, `?`, `#` or the end; nothing that a parser could read otherwise. */
const SHAPE = /^https:\/\/([a-z0-9.-]+)(?:[/?#]|$)/i;
const UNSAFE = /[\s\\\p{Cc}]/u;

/**
 * Whether a text is a hook URL of the platform: `https`, exactly the host `hooksHost` without regard to case,
 * no port written (not even 443), no user info (docs/spec.md §4.2, POST /hooks; docs/rulings.md 5.2). The text is
 * judged as written and as parsed, so that no spelling means one host here and another when delivering.
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
