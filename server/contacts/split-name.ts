/**
 * A name given as one text: up to the first space is the first name, the rest (or null) the last name.
 * @param name trimmed and not empty
 */
export function splitName(name: string): { firstName: string; lastName: string | null } {
  const space = name.indexOf(' ');
  if (space === -1) return { firstName: name, lastName: null };
  return { firstName: name.slice(0, space), lastName: name.slice(space + 1).trim() || null };
}
