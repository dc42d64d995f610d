'use client';

import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { Outcome } from '#app/lib/outcome.ts';

type Props<Value> = {
  add: (form: FormData) => Promise<Outcome<Value>>;
  onAdded: (value: Value) => void;
  /** Accessible name of the form. */
  title: string;
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  button: { label: string; busy: string };
};

/** A form with one field, which adds a domain or an address to a list. */
export function AddForm<Value>({
  add,
  onAdded,
  title,
  name,
  label,
  hint,
  placeholder = 'example.com',
  button,
}: Props<Value>) {
  const [state, submit, pending] = useFormAction(add, onAdded);
  const form = useFormFocus(state, true);
  return (
    <form ref={form} action={submit} noValidate aria-label={title} className="grid gap-4 p-5">
      {state.problem ? <Alert>{state.problem}</Alert> : null}
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 grow sm:max-w-sm">
          <TextField
            state={state}
            name={name}
            label={label}
            hint={hint}
            placeholder={placeholder}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
        <Button type="submit" aria-busy={pending} className="mt-6 max-sm:mt-0 max-sm:w-full">
          {pending ? button.busy : button.label}
        </Button>
      </div>
    </form>
  );
}
