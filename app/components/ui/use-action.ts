'use client';

import { useActionState, useRef, useState, useTransition } from 'react';
import { toast } from '#app/components/ui/toast.ts';
import { afterOutcome, type FormState, INITIAL } from '#app/lib/form-state.ts';
import { notReached, type Outcome } from '#app/lib/outcome.ts';

/** A success message, with an optional undo. */
type Message = { title: string; description?: string | undefined; undo?: (() => unknown) | undefined };

type Messages<Value> = {
  /** Title of the error toast. The reason is its description. */
  failed: string;
  /** Success message. Omitted for no toast. */
  done?: string | ((value: Value) => string | Message | undefined);
};

/** Waits for an action and shows its outcome as a toast. Treats a network failure as a refusal. */
export async function toastOutcome<Value>(
  action: Promise<Outcome<Value>>,
  { failed, done }: Messages<Value>,
): Promise<Outcome<Value>> {
  const outcome = await action.catch(notReached);
  if (!outcome.done) {
    toast.error(failed, { description: outcome.problem });
    return outcome;
  }
  const message = typeof done === 'function' ? done(outcome.value) : done;
  if (message === undefined) return outcome;
  const { title, description, undo } = typeof message === 'string' ? { title: message } : message;
  toast.success(title, { description, ...(undo ? { action: { label: 'Undo', onClick: undo } } : {}) });
  return outcome;
}

type Options<Args extends unknown[], Value> = {
  failed: string;
  done?: string | ((value: Value, ...args: Args) => string | Message | undefined);
  /** Optimistic update. */
  show?: (...args: Args) => void;
};

/**
 * Runs an action from a button. `start` ignores calls while running. `run` also returns the outcome, for dialogs that
 * stay open until then. Both show a toast.
 */
export function useAction<Args extends unknown[], Value>(
  act: (...args: Args) => Promise<Outcome<Value>>,
  { failed, done, show }: Options<Args, Value>,
) {
  const [pending, startWork] = usePendingTransition();
  const run = (...args: Args) =>
    toastOutcome(act(...args), {
      failed,
      ...(done === undefined
        ? {}
        : { done: typeof done === 'function' ? (value: Value) => done(value, ...args) : done }),
    });
  const start = (...args: Args) => {
    startWork(async () => {
      show?.(...args);
      await run(...args);
    });
  };
  return { pending, run, start };
}

/**
 * `useTransition` whose `pending` covers its own work only. React's `pending` also covers concurrent transitions,
 * such as a live refresh, so presses during that time would be dropped. Ignores calls while running. Errors reach the
 * error boundary.
 */
export function usePendingTransition(): [pending: boolean, start: (work: () => Promise<unknown>) => void] {
  const [, startTransition] = useTransition();
  const [pending, setPending] = useState(false);
  // A ref, so that a second press before the next render sees it.
  const isRunning = useRef(false);
  const start = (work: () => Promise<unknown>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setPending(true);
    startTransition(async () => {
      try {
        await work();
      } finally {
        isRunning.current = false;
        setPending(false);
      }
    });
  };
  return [pending, start];
}

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
    return afterOutcome(before, outcome, { form });
  };
  const [state, dispatch, pending] = useActionState(run, INITIAL);
  const submit = (form: FormData) => {
    if (isRunning.current) return;
    isRunning.current = true;
    dispatch(form);
  };
  return [state, submit, pending] as const;
}
