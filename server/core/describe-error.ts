/** What the log keeps of an error: where it came from and of which kind, and nothing that was being written. */
export type ErrorDescription = {
  type: string;
  message?: string;
  /** Not `code`: under that name the log takes it for an authorization code. */
  errorCode?: string;
  databaseCode?: string;
  constraint?: string;
  stack: string[];
};

/** What is kept of a message and of a stack, in UTF-16 units: either may quote what a client sent. */
const MESSAGE_MAX_LENGTH = 2_000;
const STACK_MAX_LENGTH = 10_000;

/** Errors of the database and its clients quote rows, parameters and whole calls in their messages. */
const QUOTING = /^Prisma|DriverAdapter|DatabaseError/;

/**
 * Describes an error for the log. Of what the database refused, only codes and the constraint's name are kept, as
 * the rest may hold what a contact wrote or a secret. A wrapper is passed over for what it wraps.
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
    // Its end: before the frames the message is repeated.
    stack: (error.stack ?? '')
      .slice(-STACK_MAX_LENGTH)
      .split('\n')
      .filter((line) => /^\s+at /.test(line)),
  };
}

/** tRPC wraps what a procedure throws and copies its message. */
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
