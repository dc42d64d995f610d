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
