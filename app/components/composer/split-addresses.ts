/**
 * The addresses in a line as people write and paste them: separated by commas, semicolons or lines, perhaps with names
 * (`Ada Lovelace <ada@example.com>`), or by spaces where there are none.
 */
export function splitAddresses(line: string): string[] {
  return line
    .split(/[,;\n]+/)
    .flatMap((part) => /<([^<>]*)>/.exec(part)?.[1]?.trim() ?? part.trim().split(/\s+/))
    .filter((address) => address !== '');
}
