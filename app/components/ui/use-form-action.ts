'use client';

import { useActionState, useRef } from 'react';
import { afterOutcome, type FormState, INITIAL } from '#app/lib/form-state.ts';
import { notReached, type Outcome } from '#app/lib/outcome.ts';

/**
 * `useActionState` for a form that needs JavaScript. Calls `onDone` with the action's result. Ignores a second submit
 * while the action is running. `pending` alone cannot tell that: React keeps it until concurrent transitions, such as
 * a live refresh, are finished.
 */
export function useFormAction<Value>(
  act: (form: FormData) => Promise<Outcome<Value>>,
  onDone?: (value: Value) => void,
) {
  const isRunning = useRef(false);
  const run = async (before: FormState<Value>, form: FormData): Promise<FormState<Value>> => {
    const outcome = await act(form).catch(notReached);
    isRunning.current = false;
    if (outcome.done) onDone?.(outcome.value);
    return afterOutcome(before, outcome, { form, keepsSecrets: true });
  };
  const [state, dispatch, pending] = useActionState(run, INITIAL);
  const submit = (form: FormData) => {
    if (isRunning.current) return;
    isRunning.current = true;
    dispatch(form);
  };
  return [state, submit, pending] as const;
}
