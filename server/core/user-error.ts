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

/** What a program says when the database of `DATABASE_URL` cannot be used; any other error comes back as it is. */
export function explainDatabaseError(error: unknown): unknown {
  const code = codeOf(error) ?? '';
  if (MISSING.has(code)) {
    return new UserError(
      'The database does not have all tables of this version yet: run npm run db:migrate first.',
    );
  }
  if (CANNOT_CONNECT.test(code)) {
    return new UserError(
      `The database cannot be reached (${reasonOf(error)}): check DATABASE_URL and that PostgreSQL is running.`,
    );
  }
  return error;
}

/** What Prisma calls a table or column that is not there, and PostgreSQL's own codes for them. */
const MISSING: ReadonlySet<string> = new Set(['P2021', 'P2022', '42P01', '42703']);
/** How Prisma's codes of failed connections begin, and what Node calls them. */
const CANNOT_CONNECT = /^(P1|ECONN|ENOTFOUND|ETIMEDOUT|EAI_)/;

/** Runs a command line program: what it throws is shown on stderr and the exit code becomes 1. */
export async function runCli(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}
