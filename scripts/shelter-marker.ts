/** What a shelter says of itself: the home it belongs to, and the machine on which that is. */
export type ShelterMarker = { home: string; host: string };

/** Reads the text of a `moved-from`; undefined when it is not one of ours, or half written. */
export function parseShelterMarker(text: string): ShelterMarker | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('home' in value) || !('host' in value))
    return undefined;
  const { home, host } = value;
  return typeof home === 'string' && typeof host === 'string' ? { home, host } : undefined;
}

/**
 * Whether nobody will look for a shelter any more, as its home does not point to it. Containers may share a
 * folder such as /var/tmp and yet not see each other's homes, so only a shelter of this machine is judged.
 */
export function isAbandoned(
  marker: ShelterMarker,
  found: { host: string; shelter: string; movedTo: string | undefined },
): boolean {
  return marker.host === found.host && found.movedTo !== found.shelter;
}
