'use client';

import { type RefObject, useEffect, useRef } from 'react';
import type { FormState } from '#app/lib/form-state.ts';

/** Puts the cursor where a refused form can be mended: into the first field that is wrong, or else the first one. */
export function useFormFocus(state: FormState): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (state.attempt === 0 || state.done) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const first = form.current?.querySelector<HTMLElement>('input:not([type="hidden"], [readonly])');
    (wrong ?? first)?.focus();
  }, [state]);
  return form;
}

/**
 * Moves the keyboard on when what it was at has gone with a change: a removed line, a button that did its work.
 * @param on what changes then
 * @param goTo the id of the element to go on from, which can be focused
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
