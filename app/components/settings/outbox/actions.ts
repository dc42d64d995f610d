'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

export const writeAsContact = action(null, ({ testWorkspace }, form: FormData) =>
  testWorkspace.write({
    // The procedure refuses values that are no channels.
    channel: textOf(form, 'channel') as Parameters<typeof testWorkspace.write>[0]['channel'],
    name: textOf(form, 'name'),
    address: textOf(form, 'address'),
    subject: textOf(form, 'subject'),
    content: textOf(form, 'content'),
  }),
);
