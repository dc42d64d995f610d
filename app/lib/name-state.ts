import { type FormState, failed, INITIAL, succeeded, textOf } from '#app/lib/form-state.ts';

/** How far the form of a name got; `id`: what has the name now. */
export type NameState = FormState & { id: string | null };

/** A form that nobody has sent yet. */
export const UNNAMED: NameState = { ...INITIAL, id: null };

/** Saves the name that was typed, and answers how the form then stands. */
export async function saveName(
  before: NameState,
  form: FormData,
  save: (name: string) => Promise<{ id: string }>,
): Promise<NameState> {
  const name = textOf(form, 'name');
  try {
    const { id } = await save(name);
    return { ...succeeded(before), id };
  } catch (error) {
    return { ...failed(before, error, { values: { name }, fields: ['name'] }), id: null };
  }
}
