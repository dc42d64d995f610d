'use client';

import { blockSender, unblockSender } from '#app/components/settings/blocked-senders/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction, useFormAction } from '#app/components/ui/use-action.ts';

/** Adds an address or a domain to the block list. */
export function BlockForm() {
  const [state, submit, pending] = useFormAction(blockSender, ({ value }) =>
    toast.success(`${value} blocked`),
  );
  const form = useFormFocus(state);
  return (
    <form ref={form} action={submit} noValidate aria-label="Block a sender" className="grid gap-4 p-5">
      {state.problem ? <Alert>{state.problem}</Alert> : null}
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 grow sm:max-w-sm">
          <TextField
            state={state}
            name="sender"
            label="Block an address or a domain"
            hint="A domain includes its subdomains."
            placeholder="example.com"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
        <Button type="submit" aria-busy={pending} className="mt-6 max-sm:mt-0 max-sm:w-full">
          {pending ? 'Blocking' : 'Block sender'}
        </Button>
      </div>
    </form>
  );
}

export function UnblockButton({ id, name }: { id: string; name: string }) {
  const { pending, start } = useAction(unblockSender, {
    failed: `Could not unblock ${name}`,
    done: `${name} unblocked`,
  });
  return (
    <Button variant="quiet" aria-label={`Unblock ${name}`} aria-busy={pending} onClick={() => start(id)}>
      Unblock
    </Button>
  );
}
