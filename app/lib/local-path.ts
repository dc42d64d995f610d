const elsewhere = /^\/[/\\]|[\\\p{Cc}]/u;

/**
 * Where to go after signing in: `wanted` if it is a path of this service, else the inbox. Browsers read `//host`
 * and `/\host` as other sites, and drop tabs and line breaks before they look.
 */
export function localPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || elsewhere.test(wanted)) return '/inbox';
  return wanted;
}
