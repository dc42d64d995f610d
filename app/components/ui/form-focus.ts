'use client';

import { type RefObject, useEffect, useRef } from 'react';
import type { FormState } from '#app/lib/form-state.ts';

/**
 * Focuses the first invalid field after a refusal, or else the first field. After a success that lost the focus, as by a
 * disabled button or a cleared field, focuses where the user continues: the first field if it is empty, or the button.
 */
export function useFormFocus(state: FormState): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (state.attempt === 0) return;
    if (state.done) {
      if (isFocusLost()) continuation(form.current)?.focus();
      return;
    }
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const first = form.current?.querySelector<HTMLElement>(FIELD);
    (wrong ?? first)?.focus();
  }, [state]);
  return form;
}

const FIELD = 'input:not([type="hidden"], [readonly])';

/** Also true for a heading, which `FocusWhenLost` may have focused before. */
function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement.matches('body, h1, h2, h3');
}

function continuation(form: HTMLFormElement | null): HTMLElement | null | undefined {
  const field = form?.querySelector<HTMLInputElement>(FIELD);
  return field?.value === '' ? field : form?.querySelector<HTMLElement>('[type="submit"]');
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
