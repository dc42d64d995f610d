'use server';

import { formAction } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

/** Confirms an address by its mailed link and returns it. */
export const confirmAddress = formAction({ shows: null, fields: [] }, ({ claims }, form) =>
  claims.verify({ token: textOf(form, 'token') }),
);
