/**
 * Returns what is compared when HTML shows a picture by its Content-ID (RFC 2392): without percent signs, entities and case.
 * @param cid a Content-ID, or the rest of a `cid:` address in sanitized HTML
 */
export function pictureKey(cid: string): string {
  const text = cid.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&').trim();
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text.toLowerCase();
  }
}
