const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A format of dates in a time zone, made once: making one takes longer than a hundred times that it is used, and a list asks
 * for the same few again and again.
 * @param timeZone an IANA name
 */
export function dateFormat(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  formats.set(key, known);
  return known;
}
