/** Maximum length of a name or title in such content, in UTF-16 units. */
const NAME_MAX_LENGTH = 200;

/**
 * Replaces content that the provider does not pass on.
 * @param isEcho the account itself sent it, in the provider's own app
 */
export function unsupportedContent(what: string | null = null, isEcho = false): string {
  const sentence = isEcho
    ? 'Something that cannot be shown here was sent'
    : 'The contact sent something that cannot be shown here';
  return what ? `[${sentence}: ${what.replaceAll('_', ' ').slice(0, 60)}.]` : `[${sentence}.]`;
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

const FORWARDED = '[Forwarded from ';

/** Puts where a forwarded message comes from above its content (`docs/rulings.md` 3.41). */
export function forwardedContent(from: string, content: string): string {
  return [`${FORWARDED}${from.slice(0, NAME_MAX_LENGTH)}]`, content].filter(Boolean).join('\n');
}

/** Joins the texts of the parts of an album. The line that says where all of them come from appears once. */
export function joinContents(contents: string[]): string {
  const [origin = ''] = (contents[0] ?? '').split('\n', 1);
  const isForwarded = origin.startsWith(FORWARDED);
  return contents
    .map((content, index) =>
      index > 0 && isForwarded && content.startsWith(origin)
        ? content.slice(origin.length).trimStart()
        : content,
    )
    .filter((content) => content !== '')
    .join('\n\n');
}

/** Returns a title with the kind of thing that it names, for example `[Poll: Which day?]`. */
export function titledContent(kind: string, title: string): string {
  return `[${kind}: ${title.slice(0, NAME_MAX_LENGTH)}]`;
}
