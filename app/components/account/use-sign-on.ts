'use client';

import { useEffect, useRef, useState } from 'react';
import { findSignOn, hasSignOn } from '#app/components/settings/account/actions.ts';
import { useServerForm } from '#app/components/ui/use-server-form.ts';
import { notReached } from '#app/lib/outcome.ts';

export type SignOn = ReturnType<typeof useSignOn>;

/** Finds out whether the domain of the typed address has single sign-on, and goes to its provider. */
export function useSignOn() {
  const [state, submit, pending] = useServerForm(findSignOn);
  const [offeredFor, setOfferedFor] = useState<string | null>(null);
  const checked = useRef('');
  useEffect(() => {
    if (state.value?.goTo) window.location.assign(state.value.goTo);
  }, [state]);
  const check = async (email: string) => {
    const domain = email.trim().toLowerCase().split('@')[1] ?? '';
    if (domain === checked.current) return;
    checked.current = domain;
    const outcome = domain.includes('.') ? await hasSignOn(email).catch(notReached) : null;
    // Another address was typed in the meantime.
    if (checked.current === domain) setOfferedFor(outcome?.done && outcome.value ? domain : null);
  };
  return {
    check,
    offeredFor,
    choosePassword: () => setOfferedFor(null),
    submit,
    busy: pending || (state.value?.goTo ?? null) !== null,
    problem: state.problem,
    attempt: state.attempt,
    email: state.values.email,
    choices: state.value?.goTo === null ? state.value.choices : [],
  };
}
