/** HTTP status of each kind of refusal. */
export const STATUSES: Record<RefusalKind, number> = {
  invalid: 422,
  plan: 402,
  forbidden: 403,
  not_found: 404,
  connection_ended: 401,
};

/** Message for an internal error. The log has the details, under the id of the request. */
export const FAULT_MESSAGE = 'Something went wrong on our side. Try again later.';
/** Field name → sentences, as `errors` of a `422` (docs/spec.md §7). */
export type FieldErrors = Record<string, string[]>;

/** Kind of a refusal, with its own status in the REST contract. */
export type RefusalKind = 'invalid' | 'plan' | 'forbidden' | 'not_found' | 'connection_ended';

/** A refusal of the domain, with a reason for the caller. */
export class Refusal extends Error {
  readonly refusal: RefusalKind;
  readonly errors: FieldErrors | undefined;

  constructor(kind: RefusalKind, message: string, errors?: FieldErrors) {
    super(message);
    this.name = 'Refusal';
    this.refusal = kind;
    this.errors = errors;
  }
}

/** Returns a refusal of invalid data or an impossible action, reported under its fields. */
export function invalid(errors: FieldErrors): Refusal {
  return new Refusal('invalid', Object.values(errors)[0]?.[0] ?? 'The request is not valid.', errors);
}

/** Returns a refusal for a record that does not exist or belongs to another workspace. */
export function notFound(what: string): Refusal {
  return new Refusal('not_found', `${what} was not found.`);
}

/** Returns the refusal among an error and its causes. */
export function refusalIn(error: unknown): Refusal | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof Refusal) return current;
  }
  return undefined;
}
