/** Returns the fields of an error that are safe to log: its kind and origin, no data. */
export type ErrorDescription = {
  type: string;
  message?: string;
  /** Not `code`, which the log redacts as an authorization code. */
  errorCode?: string;
  databaseCode?: string;
  constraint?: string;
  stack: string[];
};

/** Maximum lengths in UTF-16 units. Messages and stacks may quote what a client sent. */
const MESSAGE_MAX_LENGTH = 2_000;
const STACK_MAX_LENGTH = 10_000;

/** Errors of the database and its clients, whose messages quote rows, parameters and calls. */
const QUOTING = /^Prisma|DriverAdapter|DatabaseError/;

/**
 * Describes an error for the log. A database error is reduced to its codes and the constraint's name, because the rest may contain
 * personal data or secrets. An error that wraps another one is replaced by that one.
 */
export function describeError(thrown: unknown): ErrorDescription {
  const error = innermost(thrown);
  if (!(error instanceof Error)) return { type: typeof error, stack: [] };
  const type = error.constructor.name === 'Error' ? error.name : error.constructor.name;
  const quotes = QUOTING.test(type) || QUOTING.test(error.name) || 'severity' in error;
  return {
    type,
    ...(quotes ? {} : { message: error.message.slice(0, MESSAGE_MAX_LENGTH) }),
    ...textField('errorCode', valueIn(error, 'code')),
    ...textField('databaseCode', valueIn(valueIn(error, 'meta'), 'code')),
    ...textField('constraint', valueIn(error, 'constraint')),
    // The end, because the stack starts with the message.
    stack: (error.stack ?? '')
      .slice(-STACK_MAX_LENGTH)
      .split('\n')
      .filter((line) => /^\s+at /.test(line)),
  };
}

/** Unwraps errors of tRPC, which copy the message of their cause. */
function innermost(thrown: unknown): unknown {
  let error = thrown;
  while (error instanceof Error && error.name === 'TRPCError' && error.cause) error = error.cause;
  return error;
}

function valueIn(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;
}

function textField(
  name: 'errorCode' | 'databaseCode' | 'constraint',
  value: unknown,
): Partial<ErrorDescription> {
  return typeof value === 'string' ? { [name]: value } : {};
}
