/** Prints what a test measured, on a line of its own. */
export function printFigures(text: string): void {
  process.stdout.write(`figures: ${text}\n`);
}
