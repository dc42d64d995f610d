'use client';

import { useEffect } from 'react';
import { passSecondStep } from '#app/components/settings/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useServerForm } from '#app/components/ui/use-server-form.ts';

/** Asks for a code of the second factor, or only for a recovery code if the account has no app. Loads the target in full, as the sign-in form does. */
export function SecondStepForm({ next, hasApp }: { next: string; hasApp: boolean }) {
  const [state, submit, pending] = useServerForm(passSecondStep);
  const form = useFormFocus(state);
  useEffect(() => {
    if (state.value) window.location.assign(state.value.goTo);
  }, [state]);
  const busy = pending || state.done;
  return (
    <form ref={form} action={submit} className="grid gap-4">
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <input type="hidden" name="next" value={next} />
      <TextField
        state={state}
        name="code"
        label={hasApp ? 'Code' : 'Recovery code'}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        autoFocus={hasApp && state.attempt === 0}
        required
      />
      {hasApp ? <Checkbox name="trust" label="Don’t ask again in this browser for 30 days" /> : null}
      <Button
        type="submit"
        variant={hasApp ? 'primary' : 'secondary'}
        disabled={busy}
        aria-busy={busy}
        className="w-full"
      >
        {busy ? 'Checking' : 'Continue'}
      </Button>
    </form>
  );
}
