/**
 * Every character that ends a line somewhere: in a header, on a screen, or for Unicode (UAX #14, BK, CR, LF and NL).
 */
const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * A text of one line: what breaks lines becomes one space, and there is no white space around it. A name or a subject
 * is in the header of a mail, where a second line would be another header.
 */
export function foldLines(text: string): string {
  return text.replaceAll(LINE_BREAKS, ' ').trim();
}
