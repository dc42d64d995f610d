'use client';

import { useActionState } from 'react';
import { afterOutcome, type FormState, INITIAL } from '#app/lib/outcome/form-state.ts';
import { notReached, type Outcome } from '#app/lib/outcome/outcome.ts';

/** `useActionState` for a form that needs JavaScript. `onDone` is called with what the action returned. */
export function useFormAction<Value>(
  act: (form: FormData) => Promise<Outcome<Value>>,
  onDone?: (value: Value) => void,
) {
  return useActionState(async (before: FormState<Value>, form: FormData): Promise<FormState<Value>> => {
    const outcome = await act(form).catch(notReached);
    if (outcome.done) onDone?.(outcome.value);
    return afterOutcome(before, outcome, { form });
  }, INITIAL);
}
