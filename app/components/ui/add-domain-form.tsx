'use client';

import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-action.ts';
import type { Outcome } from '#app/lib/outcome.ts';

type Props = {
  add: (form: FormData) => Promise<Outcome>;
  /** Next step, as a sentence. */
  next?: string;
};

export function AddDomainForm({ add, next }: Props) {
  const [state, submit, pending] = useFormAction(add, () =>
    toast.success('Domain added', { description: next }),
  );
  const form = useFormFocus(state);
  return (
    <form ref={form} action={submit} noValidate aria-label="Add a domain" className="grid gap-4 p-5">
      {state.problem ? <Alert>{state.problem}</Alert> : null}
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 grow sm:max-w-sm">
          <TextField
            state={state}
            name="domain"
            label="Add a domain"
            placeholder="example.com"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
        <Button type="submit" aria-busy={pending} className="mt-6 max-sm:mt-0 max-sm:w-full">
          {pending ? 'Adding' : 'Add domain'}
        </Button>
      </div>
    </form>
  );
}
