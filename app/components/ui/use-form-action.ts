'use client';

import { useActionState, useRef } from 'react';
import { afterOutcome, type FormState, INITIAL } from '#app/lib/form-state.ts';
import { notReached, type Outcome } from '#app/lib/outcome.ts';

/**
 * `useActionState` for a form that needs JavaScript. `onDone` is called with what the action returned. A form that is sent
 * while its action is under way is not sent twice. That it is pending says less: React has it so until all that changes
 * meanwhile is shown, such as a refresh by live news.
 */
export function useFormAction<Value>(
  act: (form: FormData) => Promise<Outcome<Value>>,
  onDone?: (value: Value) => void,
) {
  const isUnderWay = useRef(false);
  const run = async (before: FormState<Value>, form: FormData): Promise<FormState<Value>> => {
    const outcome = await act(form).catch(notReached);
    isUnderWay.current = false;
    if (outcome.done) onDone?.(outcome.value);
    return afterOutcome(before, outcome, { form });
  };
  const [state, dispatch, pending] = useActionState(run, INITIAL);
  const submit = (form: FormData) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    dispatch(form);
  };
  return [state, submit, pending] as const;
}
