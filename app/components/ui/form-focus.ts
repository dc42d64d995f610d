'use client';

import { type RefObject, useEffect, useRef } from 'react';
import type { FormState } from '#app/lib/form-state.ts';

/**
 * Focuses the first invalid field after a refusal, or else the first field.
 * @param repeats also focuses the first field after a success, for a form that adds one entry after the other
 */
export function useFormFocus(state: FormState, repeats = false): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (state.attempt === 0) return;
    if (state.done && !(repeats && isFocusIn(form.current))) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const first = form.current?.querySelector<HTMLElement>('input:not([type="hidden"], [readonly])');
    (wrong ?? first)?.focus();
  }, [state, repeats]);
  return form;
}

/**
 * Returns whether the focus is in the form or was lost, as by a button that was disabled. `FocusWhenLost` may have moved
 * it to a heading since.
 */
function isFocusIn(form: HTMLFormElement | null): boolean {
  const { activeElement } = document;
  return activeElement?.matches('body, h1, h2, h3') !== false || form?.contains(activeElement) === true;
}

/**
 * Moves the focus when a change removed the focused element, such as a deleted row.
 * @param on changes with the removal
 * @param goTo the id of a focusable element
 */
export function FocusWhenLost({ on, goTo }: { on: string | number; goTo: string }) {
  const before = useRef(on);
  useEffect(() => {
    if (before.current === on) return;
    before.current = on;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) document.getElementById(goTo)?.focus();
  }, [on, goTo]);
  return null;
}
