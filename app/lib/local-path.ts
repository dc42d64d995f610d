const UNSAFE = /^\/[/\\]|[\\\p{Cc}]/u;

/**
 * Returns `wanted` if it is a path of this service, otherwise the inbox, to prevent open redirects. Browsers treat
 * `//host` and `/\host` as other sites, and strip tabs and line breaks before parsing.
 */
export function localPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || UNSAFE.test(wanted)) return '/inbox';
  return wanted;
}
