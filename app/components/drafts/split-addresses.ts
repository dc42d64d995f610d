/**
 * Splits pasted or typed text into addresses. Separators are commas, semicolons and line breaks, or spaces where
 * there are no names (`Ada Lovelace <ada@example.com>`).
 */
export function splitAddresses(line: string): string[] {
  return line
    .split(/[,;\n]+/)
    .flatMap((part) => /<([^<>]*)>/.exec(part)?.[1]?.trim() ?? part.trim().split(/\s+/))
    .filter((address) => address !== '');
}
