import { fetchFromProvider, ProviderFault } from '#server/core/provider-request.ts';
import { graphUrl } from '#server/inbox/channels/meta/graph-api.ts';

/** Hosts of Meta's media files, besides the API's host. */
const FILE_HOSTS = ['fbcdn.net', 'fbsbx.com', 'cdninstagram.com'];
/** Largest file that a contact can send on any Meta channel: a WhatsApp document. */
const FILE_MAX_BYTES = 100 * 1024 * 1024;

/**
 * Returns true for a URL of the Graph API or of Meta's media hosts. The service never fetches other URLs that a contact
 * chose.
 */
export function isMetaAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, protocol, hostname, port, username } = new URL(address);
  if (username !== '') return false;
  if (origin === new URL(graphUrl()).origin) return true;
  const isKnown = FILE_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return isKnown && protocol === 'https:' && port === '';
}

/**
 * Opens a media file at a URL from Meta.
 * @param token sent for files that only the account may read (WhatsApp)
 * @throws ProviderFault when the URL is not Meta's, or the file is too large or gone
 */
export async function openMetaFile(
  url: string,
  token: string | null = null,
): Promise<AsyncIterable<Uint8Array>> {
  if (!isMetaAddress(url)) throw new ProviderFault('refused', 'The URL of the file is not Meta’s.');
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const { source } = await fetchFromProvider({ url, headers, maxBytes: FILE_MAX_BYTES });
  return source;
}
