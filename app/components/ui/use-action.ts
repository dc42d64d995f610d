'use client';

import { toast } from '#app/components/ui/toast.ts';
import { useOwnTransition } from '#app/components/ui/use-own-transition.ts';
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
