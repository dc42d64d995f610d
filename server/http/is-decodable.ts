/**
 * Whether a path can be decoded: each `%` begins an octet, and the octets are UTF-8 (RFC 3986 §2.1). One that cannot
 * leads nowhere, whatever it begins with (decisions: requests and errors, 1).
 */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
