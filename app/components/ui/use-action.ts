'use client';

import { useActionState, useRef, useState, useTransition } from 'react';
import { toast } from '#app/components/ui/toast.ts';
import { afterOutcome, type FormState, INITIAL } from '#app/lib/form-state.ts';
import { notReached, type Outcome } from '#app/lib/outcome.ts';

/** A message about what was done, with the way to take it back. */
type Message = { title: string; description?: string | undefined; undo?: (() => unknown) | undefined };

type Messages<Value> = {
  /** The title of the message when it was refused; the reason is below it. */
  failed: string;
  /** What is said once it is done; nothing when left out. */
  done?: string | ((value: Value) => string | Message | undefined);
};

/** Waits for an action and shows its outcome as a toast. A lost call is an outcome too. */
export async function toastOutcome<Value>(
  acted: Promise<Outcome<Value>>,
  { failed, done }: Messages<Value>,
): Promise<Outcome<Value>> {
  const outcome = await acted.catch(notReached);
  if (!outcome.done) {
    toast.error(failed, { description: outcome.problem });
    return outcome;
  }
  const said = typeof done === 'function' ? done(outcome.value) : done;
  if (said === undefined) return outcome;
  const { title, description, undo } = typeof said === 'string' ? { title: said } : said;
  toast.success(title, { description, ...(undo ? { action: { label: 'Undo', onClick: undo } } : {}) });
  return outcome;
}

type Options<Args extends unknown[], Value> = {
  failed: string;
  done?: string | ((value: Value, ...args: Args) => string | Message | undefined);
  /** Shows at once what the change will come to. */
  show?: (...args: Args) => void;
};

/**
 * What a button needs to run an action: `start` runs it unless it is running, `run` also waits for its outcome, for
 * dialogs that stay until it is there. Both say what it came to.
 */
export function useAction<Args extends unknown[], Value>(
  act: (...args: Args) => Promise<Outcome<Value>>,
  { failed, done, show }: Options<Args, Value>,
) {
  const [pending, startWork] = useOwnTransition();
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
 * `useTransition` for work that is pending until it is done itself. React's own is pending until all other transitions under
 * way have ended too, such as a refresh by live news: what is pressed meanwhile would be dropped. No work begins while the one
 * before is under way. What it throws, the page of errors shows.
 */
export function useOwnTransition(): [pending: boolean, start: (work: () => Promise<unknown>) => void] {
  const [, startTransition] = useTransition();
  const [pending, setPending] = useState(false);
  // Known at once, also to a second press before the first one is drawn.
  const isUnderWay = useRef(false);
  const start = (work: () => Promise<unknown>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setPending(true);
    startTransition(async () => {
      try {
        await work();
      } finally {
        isUnderWay.current = false;
        setPending(false);
      }
    });
  };
  return [pending, start];
}

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
