/** Prints what a test measured, for whoever reads the run: a line of its own. */
export function printFigures(text: string): void {
  process.stdout.write(`figures: ${text}\n`);
}
