/** The status of each kind of refusal. */
export const STATUSES: Record<RefusalKind, number> = {
  invalid: 422,
  plan: 402,
  forbidden: 403,
  not_found: 404,
  connection_ended: 401,
};

/** What is said of a fault of ours: nothing about it. The log has the rest, under the request's id. */
export const FAULT_MESSAGE = 'Something went wrong on our side. Try again later.';
/** Field name → sentences, as `errors` of a `422` (spec.md §7). */
export type FieldErrors = Record<string, string[]>;

/** Why a domain function refuses: each kind has its own status in the REST contract. */
export type RefusalKind = 'invalid' | 'plan' | 'forbidden' | 'not_found' | 'connection_ended';

/**
 * A change that the domain refuses, for a reason that the caller may know.
 * Recognised by its field and not by `instanceof`, as Next has its own copy of this class.
 */
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

/** Invalid data or an impossible action, reported under the fields that asked for it. */
export function invalid(errors: FieldErrors): Refusal {
  return new Refusal('invalid', Object.values(errors)[0]?.[0] ?? 'The request is not valid.', errors);
}

/** A record that is not there for this caller, be it absent or another workspace's. */
export function notFound(what: string): Refusal {
  return new Refusal('not_found', `${what} was not found.`);
}

/** The refusal inside an error or its causes, if there is one. */
export function refusalIn(error: unknown): Refusal | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('refusal' in current) return current as Refusal;
  }
  return undefined;
}
