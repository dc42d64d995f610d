import { errorMessage } from '#app/lib/error-message.ts';
import { refusalProblems } from '#app/lib/refusal-problems.ts';

/**
 * How far a form got. `fields` holds what is wrong with a value, under the field's name; `problem` what is wrong with
 * the whole; `values` what was typed, to be shown again; `attempt` tells one answer from the next.
 */
export type FormState = {
  values: Record<string, string>;
  fields: Record<string, string>;
  problem: string | null;
  done: boolean;
  attempt: number;
};

/** A form that nobody has sent yet. */
export const INITIAL: FormState = { values: {}, fields: {}, problem: null, done: false, attempt: 0 };

/** The state after what was sent has been done. */
export function succeeded(before: FormState): FormState {
  return { ...INITIAL, done: true, attempt: before.attempt + 1 };
}

/**
 * The state after a procedure refused. A sentence about something that is no field of this form is about the whole.
 * @param sent.values what was typed, without passwords: these are typed anew
 * @param sent.fields the names of the form's fields
 */
export function failed(
  before: FormState,
  error: unknown,
  sent: { values?: Record<string, string>; fields: string[] },
): FormState {
  const { values = {}, fields: names } = sent;
  const told = Object.entries(refusalProblems(error).fields).filter(([name]) => names.includes(name));
  return {
    values,
    fields: Object.fromEntries(told),
    problem: told.length > 0 ? null : errorMessage(error),
    done: false,
    attempt: before.attempt + 1,
  };
}

/** A field of a form as it was typed; of one that is missing, or a file, the empty text. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
