/**
 * The authorize request as hidden fields of the consent form. `state` may hold anything and comes back unchanged,
 * but browsers rewrite line breaks in fields: so it travels percent-encoded.
 */
export function toFormFields(parameters: URLSearchParams): { name: string; value: string }[] {
  return [...parameters].map(([name, value]) => ({
    name,
    value: name === 'state' ? encodeURIComponent(value) : value,
  }));
}

/** The authorize request out of posted fields, as it came. */
export function fromFormFields(posted: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    [...posted].map(([name, value]) => [name, name === 'state' ? decode(value) : value]),
  );
}

/** A value that our page did not encode stays as it is; the form's binding then refuses it. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
