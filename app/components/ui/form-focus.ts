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
