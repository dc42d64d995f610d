import { fetchFromProvider, ProviderFault } from '#server/core/provider-request.ts';
import { graphUrl } from '#server/inbox/channels/meta/graph-api.ts';

/** Where Meta keeps files of messages, beside the API's own host. */
const FILE_HOSTS = ['fbcdn.net', 'fbsbx.com', 'cdninstagram.com'];
/** The largest file that a contact can send over any of Meta's channels: a document on WhatsApp. */
const FILE_MAX_BYTES = 100 * 1024 * 1024;

/**
 * Whether an address is one of Meta's own: the API's, or a host of its files. Nothing that a contact sends makes the
 * service call another one.
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
 * Opens a file at an address that Meta gave for it.
 * @param token goes along where the file is given to the account alone (WhatsApp)
 * @throws ProviderFault when the address is not Meta's, or the file too large or gone
 */
export async function openMetaFile(
  url: string,
  token: string | null = null,
): Promise<AsyncIterable<Uint8Array>> {
  if (!isMetaAddress(url)) throw new ProviderFault('refused', 'The file is not kept by Meta.');
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const { source } = await fetchFromProvider({ url, headers, maxBytes: FILE_MAX_BYTES });
  return source;
}

/** Shown in place of what a contact took back. */
export const UNSENT = '[The contact deleted this message.]';

/** Shown in place of what the provider does not hand on. */
export function unsupportedContent(what: string | null = null): string {
  return what
    ? `[The contact sent something that cannot be shown here: ${what.replaceAll('_', ' ').slice(0, 60)}.]`
    : '[The contact sent something that cannot be shown here.]';
}

/** A place as text: its name and address as far as they are known, and where it is. */
export function locationContent(place: {
  name?: string | undefined;
  address?: string | undefined;
  latitude: number;
  longitude: number;
}): string {
  const { name, address, latitude, longitude } = place;
  return `Location: ${[name, address, `${latitude}, ${longitude}`].filter(Boolean).join(', ')}`;
}
