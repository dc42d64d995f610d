'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { FieldSubject, FieldType } from '#server/screens/fields/views.ts';

const FIELDS = '/settings/fields';

/** A choice as typed. Without an id it is new. */
export type TypedChoice = { id?: string | undefined; name: string };

type Chosen = { choices: TypedChoice[]; removedChoiceIds: string[] };

/** Creates a field, or changes the one with this id. */
export const saveField = action(
  FIELDS,
  async (
    { fields },
    { id, subject, choices, removedChoiceIds }: Chosen & { id: string | null; subject: FieldSubject },
    form: FormData,
  ) => {
    const name = textOf(form, 'name');
    // The server refuses other types.
    if (id === null) await fields.create({ subject, type: textOf(form, 'type') as FieldType, name, choices });
    else await fields.update({ id, name, choices, removedChoiceIds });
  },
);

export const moveField = action(FIELDS, async ({ fields }, id: string, to: 'up' | 'down') => {
  await fields.move({ id, to });
});

export const deleteField = action(FIELDS, async ({ fields }, id: string) => {
  await fields.delete({ id });
});
