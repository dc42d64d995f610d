/** Returns a line of CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvRow(texts: string[]): string {
  return `${texts.map((text) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** Returns the first line of a file, after a byte order mark: Excel reads a file without one in the character set of the computer. */
export function csvHead(names: string[]): string {
  return `\uFEFF${csvRow(names)}`;
}
