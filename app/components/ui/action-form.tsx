'use client';

import { type ComponentProps, startTransition } from 'react';
import { Alert } from '#app/components/ui/alert.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import type { FormState } from '#app/lib/form-state.ts';

type Props = Omit<ComponentProps<'form'>, 'ref' | 'action' | 'noValidate' | 'onSubmit'> & {
  /** What `useFormAction` of the form returned. */
  state: FormState;
  submit: (form: FormData) => void;
};

/**
 * A form that keeps its boxes and selects as they were left: one that is sent by its action is emptied by the browser, also
 * when it comes back with what is wrong. That is said first, and the cursor goes where it can be mended. Needs JavaScript.
 */
export function ActionForm({ state, submit, children, ...rest }: Props) {
  const form = useFormFocus(state);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const sent = new FormData(event.currentTarget);
        startTransition(() => submit(sent));
      }}
      {...rest}
    >
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      {children}
    </form>
  );
}
