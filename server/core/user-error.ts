/**
 * A failure with a known cause. Its message says what happened and what to do, and is shown without a stack.
 */
export class UserError extends Error {
  override name = 'UserError';
}

/** Returns the text to show for anything thrown: the message of a `UserError`, else the stack. */
export function describeError(error: unknown): string {
  if (error instanceof UserError) return error.message;
  if (error instanceof Error) return error.stack ?? error.message;
  return String(error);
}

/** Returns the reason of an error in one line. Connection errors often contain it in a list of attempts. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  if (error instanceof Error) return error.message.trim().split('\n')[0] ?? error.name;
  return String(error);
}

/** Returns the `code` of a system or database error, such as `ENOENT` or `42P01`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns a `UserError` when the database cannot be used, else the error itself. */
export function explainDatabaseError(error: unknown): unknown {
  const code = codeOf(error) ?? '';
  if (MISSING.has(code)) {
    return new UserError(
      'The database does not have all tables of this version yet: run npm run db:migrate first.',
    );
  }
  if (CANNOT_CONNECT.test(code) || CANNOT_CONNECT_IN_TIME.test(reasonOf(error))) {
    return new UserError(
      `The database cannot be reached (${reasonOf(error)}): check DATABASE_URL and that PostgreSQL is running.`,
    );
  }
  return error;
}

/** Codes of Prisma and PostgreSQL for a missing table or column. */
const MISSING: ReadonlySet<string> = new Set(['P2021', 'P2022', '42P01', '42703']);
/** Prefixes of the codes of Prisma and Node for failed connections. */
const CANNOT_CONNECT = /^(P1|ECONN|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ETIMEDOUT|EAI_)/;
/** Messages of `pg`, whose errors have no code then. */
const CANNOT_CONNECT_IN_TIME = /^(Connection terminated|timeout exceeded when trying to connect)/;

type ListenAddress = { port: number; setting: string; host: string; hostSetting: string };

/**
 * Returns a `UserError` when a port cannot be listened on, else the error itself.
 * @param address with the names of the settings of port and host
 */
export function explainListenError(
  error: unknown,
  { port, setting, host, hostSetting }: ListenAddress,
): unknown {
  const code = codeOf(error);
  switch (code) {
    case 'EADDRINUSE':
      return new UserError(`Port ${port} is in use. Free it, or set ${setting} to another one.`);
    case 'EACCES':
      return new UserError(`Port ${port} may not be opened by this user. Set ${setting} to one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UserError(
        `Port ${port} cannot be opened at ${host} (${code}). Set ${hostSetting} to an address of this machine.`,
      );
    default:
      return error;
  }
}

/** Runs a command line program. Writes its error to stderr and sets the exit code to 1. */
export async function runCli(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}
