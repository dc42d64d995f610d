import type { Outcome } from '#app/lib/outcome.ts';

/**
 * How far a form got. `fields` holds what is wrong with a value, under the field's name; `problem` what is wrong with
 * the whole; `values` what was typed, to be shown again; `value` what the action returned; `attempt` distinguishes one outcome
 * from the next.
 */
export type FormState<Value = unknown> = {
  values: Record<string, string>;
  fields: Record<string, string>;
  problem: string | null;
  done: boolean;
  value: Value | null;
  attempt: number;
};

/** A form that no one has sent yet. */
export const INITIAL = {
  values: {},
  fields: {},
  problem: null,
  done: false,
  value: null,
  attempt: 0,
} satisfies FormState;

/**
 * The state of a form after its action. A sentence about something that is no field of the form is about the whole. What
 * was typed is kept after a refusal, without passwords, secrets and tokens, which are typed again.
 * @param fields the names of the form's fields; without them, all that were sent
 */
export function afterOutcome<Value>(
  before: { attempt: number },
  outcome: Outcome<Value>,
  { form, fields = [...form.keys()] }: { form: FormData; fields?: readonly string[] },
): FormState<Value> {
  const attempt = before.attempt + 1;
  if (outcome.done) return { ...INITIAL, done: true, value: outcome.value, attempt };
  const shown = Object.entries(outcome.fields).filter(([name]) => fields.includes(name));
  return {
    values: Object.fromEntries(fields.filter(mayBeShown).map((name) => [name, textOf(form, name)])),
    fields: Object.fromEntries(shown),
    problem: shown.length > 0 ? null : outcome.problem,
    done: false,
    value: null,
    attempt,
  };
}

/** A field of a form as it was typed; of one that is missing, or a file, the empty text. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

function mayBeShown(name: string): boolean {
  return !/password|secret|token/i.test(name);
}
