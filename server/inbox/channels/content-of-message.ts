/** Maximum length of a name or title in such content, in UTF-16 units. */
const NAME_MAX_LENGTH = 200;

/** Replaces the content of a message that the contact deleted. */
export const UNSENT = '[The contact deleted this message.]';

/** Replaces content that the provider does not pass on. */
export function unsupportedContent(what: string | null = null): string {
  return what
    ? `[The contact sent something that cannot be shown here: ${what.replaceAll('_', ' ').slice(0, 60)}.]`
    : '[The contact sent something that cannot be shown here.]';
}

/** Formats a location as text: name and address if known, then the coordinates. */
export function locationContent(place: {
  name?: string | undefined;
  address?: string | undefined;
  latitude: number;
  longitude: number;
}): string {
  const { name, address, latitude, longitude } = place;
  return `Location: ${[name, address, `${latitude}, ${longitude}`].filter(Boolean).join(', ')}`;
}

/** Puts where a forwarded message comes from above its content (`docs/rulings.md` 3.41). */
export function forwardedContent(from: string, content: string): string {
  return [`[Forwarded from ${from.slice(0, NAME_MAX_LENGTH)}]`, content].filter(Boolean).join('\n');
}

/** Returns a title with the kind of thing that it names, for example `[Poll: Which day?]`. */
export function titledContent(kind: string, title: string): string {
  return `[${kind}: ${title.slice(0, NAME_MAX_LENGTH)}]`;
}
