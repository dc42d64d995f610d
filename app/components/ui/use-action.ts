'use client';

import { useMutation } from '@tanstack/react-query';
import { useRef, useState, useTransition } from 'react';
import { toast } from '#app/components/ui/toast.ts';
import { notReached, type Outcome } from '#app/lib/outcome.ts';

/** A success message, with an optional undo. */
export type Message = { title: string; description?: string | undefined; undo?: (() => unknown) | undefined };

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
};

/**
 * Runs an action from a button. `start` ignores calls while running. `run` also returns the outcome, for dialogs that
 * stay open until then. Both show a toast. `chosen` is what `start` was called with, until the page is rendered with the
 * change or the change was refused: a control shows it instead of its value.
 */
export function useAction<Args extends unknown[], Value>(
  act: (...args: Args) => Promise<Outcome<Value>>,
  { failed, done }: Options<Args, Value>,
) {
  const { mutateAsync, variables } = useMutation({
    mutationFn: (args: Args) =>
      toastOutcome(act(...args), {
        failed,
        ...(done === undefined
          ? {}
          : { done: typeof done === 'function' ? (value: Value) => done(value, ...args) : done }),
      }),
  });
  const [pending, startWork, isRendering] = usePendingTransition();
  const run = (...args: Args) => mutateAsync(args);
  const start = (...args: Args) => startWork(() => run(...args));
  return { pending, run, start, chosen: isRendering ? variables : undefined };
}

/**
 * `useTransition` whose `pending` covers its own work only. React's `pending` also covers concurrent transitions,
 * such as a live refresh, so presses during that time would be dropped. Ignores calls while running. Errors reach the
 * error boundary. `isRendering` is true until the page is rendered with what the work has changed.
 */
export function usePendingTransition(): [
  pending: boolean,
  start: (work: () => Promise<unknown>) => void,
  isRendering: boolean,
] {
  const [isRendering, startTransition] = useTransition();
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
  return [pending, start, isRendering];
}
