import { TAG_MAX_LENGTH, TAGS_MAX, tagList } from '#server/contract/tag-list.ts';
import type { FieldErrors } from '#server/core/errors.ts';

/** Parses comma-separated tags, of which there may be none. Adds a message for `field` to `errors` if they are invalid. */
export function parseFlowTags(typed: string, field: string, errors: FieldErrors): string[] {
  if (typed.split(',').every((tag) => tag.trim() === '')) return [];
  const parsed = tagList.safeParse(typed);
  if (parsed.success) return parsed.data;
  const fallback = `Give at most ${TAGS_MAX} tags of at most ${TAG_MAX_LENGTH} characters each.`;
  errors[field] = [parsed.error.issues[0]?.message ?? fallback];
  return [];
}
