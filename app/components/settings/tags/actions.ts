'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const TAGS = '/settings/tags';

/** Creates a tag, or renames the one with this key. */
export const saveTag = action(TAGS, async ({ tags }, key: string | null, form: FormData) => {
  const name = textOf(form, 'name');
  return key === null ? tags.create({ name }) : tags.rename({ key, name });
});

export const mergeTag = action(TAGS, async ({ tags }, key: string, form: FormData) => {
  await tags.merge({ key, into: textOf(form, 'into') });
});

export const deleteTag = action(TAGS, async ({ tags }, key: string) => {
  await tags.delete({ key });
});

export const setTint = action(TAGS, async ({ tags }, key: string, tint: number | null) => {
  await tags.setTint({ key, tint });
});

export const limitNewTags = action(TAGS, async ({ tags }, isLimited: boolean) => {
  await tags.limitNew({ isLimited });
});
