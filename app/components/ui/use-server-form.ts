'use client';

import { unstable_rethrow } from 'next/navigation';
import { useActionState } from 'react';
import { afterOutcome, type FormState, INITIAL } from '#app/lib/form-state.ts';
import { notReached } from '#app/lib/outcome.ts';

/**
 * `useActionState` for a server action of `formAction`, whose form also works without JavaScript. When the request or
 * its response is lost, the form says so and retains its input.
 */
export function useServerForm<Value>(
  act: (before: FormState<Value>, form: FormData) => Promise<FormState<Value>>,
) {
  const submit = async (before: FormState<Value>, form: FormData): Promise<FormState<Value>> => {
    try {
      return await act(before, form);
    } catch (error) {
      // Next.js throws redirects, too.
      unstable_rethrow(error);
      return afterOutcome(before, notReached(error), { form });
    }
  };
  // The server renders the action itself, which a browser without JavaScript can post.
  return useActionState(typeof window === 'undefined' ? act : submit, INITIAL);
}
