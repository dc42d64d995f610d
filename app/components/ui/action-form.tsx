'use client';

import { type ComponentProps, startTransition } from 'react';
import { Alert } from '#app/components/ui/alert.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import type { FormState } from '#app/lib/form-state.ts';

type Props = Omit<ComponentProps<'form'>, 'ref' | 'action' | 'noValidate' | 'onSubmit'> & {
  /** The state from `useFormAction`. */
  state: FormState;
  submit: (form: FormData) => void;
};

/**
 * A form that retains its checkboxes and selects after a refusal. React resets forms submitted by an action, even
 * when the action fails. Shows the error and focuses the invalid field. Ctrl+Enter, or Cmd+Enter,
 * submits it from any field. Needs JavaScript.
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
      onKeyDown={(event) => {
        if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        // React also passes on keys of a dialog that is opened from a field.
        if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
      {...rest}
    >
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      {children}
    </form>
  );
}
