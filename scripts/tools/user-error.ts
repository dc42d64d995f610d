/**
 * A failure we understand: its message is a sentence that says what happened and what to do,
 * and is shown to the user without a stack.
 */
export class UserError extends Error {
  override name = 'UserError';
}

/** The text to show for anything thrown: a sentence for what we understand, the stack for the rest. */
export function describeError(error: unknown): string {
  if (error instanceof UserError) return error.message;
  if (error instanceof Error) return error.stack ?? error.message;
  return String(error);
}

/** The one-line reason inside an error; connection errors often hide it in a list of attempts. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  if (error instanceof Error) return error.message.trim().split('\n')[0] ?? error.name;
  return String(error);
}

/** The `code` of a system or database error, such as `ENOENT` or `42P01`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Runs a command line program: what it throws is shown on stderr and the exit code becomes 1. */
export async function runCli(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}
