import type { Outcome } from '#app/lib/outcome.ts';

/**
 * State of a form. `fields`: errors by field name. `problem`: error of the whole form. `values`: the submitted input.
 * `value`: the action's result. `attempt`: increases with each submit.
 */
export type FormState<Value = unknown> = {
  values: Record<string, string>;
  fields: Record<string, string>;
  problem: string | null;
  done: boolean;
  value: Value | null;
  attempt: number;
};

/** State before the first submit. */
export const INITIAL = {
  values: {},
  fields: {},
  problem: null,
  done: false,
  value: null,
  attempt: 0,
} satisfies FormState;

/**
 * Returns the state after an action. Errors of unknown fields become the form's `problem`. After a refusal retains
 * the input, except passwords, secrets and tokens.
 * @param fields names of the form's fields, by default all submitted ones
 * @param keepsSecrets retains secrets and tokens that were not refused, for a state that stays in the browser
 */
export function afterOutcome<Value>(
  before: { attempt: number },
  outcome: Outcome<Value>,
  {
    form,
    fields = [...form.keys()],
    keepsSecrets = false,
  }: { form: FormData; fields?: readonly string[]; keepsSecrets?: boolean },
): FormState<Value> {
  const attempt = before.attempt + 1;
  if (outcome.done) return { ...INITIAL, done: true, value: outcome.value, attempt };
  const shown = Object.entries(outcome.fields).filter(([name]) => fields.includes(name));
  return {
    values: Object.fromEntries(
      fields
        .filter((name) => isNotSecret(name) || (keepsSecrets && isKept(name, outcome.fields)))
        .map((name) => [name, textOf(form, name)]),
    ),
    fields: Object.fromEntries(shown),
    problem: shown.length > 0 ? null : outcome.problem,
    done: false,
    value: null,
    attempt,
  };
}

/** Returns the text of a field, or an empty string if it is missing or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

function isKept(name: string, refused: Record<string, string>): boolean {
  return !/password/i.test(name) && !(name in refused);
}

function isNotSecret(name: string): boolean {
  return !/password|secret|token/i.test(name);
}
