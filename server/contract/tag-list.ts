import { z } from 'zod';
import { lengthOf } from '#server/contract/fields.ts';
import { tagKey } from '#server/contract/tag-key.ts';
import { foldLines, isStorableText } from '#server/core/text.ts';

/** Maximum tags in one request, and characters in one tag (docs/spec.md §8). */
export const TAGS_MAX = 20;
export const TAG_MAX_LENGTH = 40;
/** Maximum characters of all tags as one text: a longer text is refused without splitting it. */
const TEXT_MAX_LENGTH = 10_000;
const FAR_TOO_MANY = `Give at most ${TAGS_MAX} tags of at most ${TAG_MAX_LENGTH} characters each.`;

/**
 * Tags as an array of texts, or as one text separated by commas. Each tag is trimmed and made one line, and
 * empty tags are dropped. After counting, only the first of tags that differ in case stays (docs/rulings.md
 * 3.7).
 */
export const tagList = z
  .preprocess(
    (value, context) => {
      const parsed = parseTags(value);
      if (typeof parsed !== 'string') return parsed;
      context.addIssue({ code: 'custom', message: parsed });
      return z.NEVER;
    },
    z.any() as z.ZodType<string[]>,
  )
  .meta({
    description: `1 to ${TAGS_MAX} tags of at most ${TAG_MAX_LENGTH} characters each, as an array or as a comma-separated text.`,
    examples: [['VIP', 'refund']],
    override: {
      anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
    },
  });

/** Returns the tags that are not empty, without duplicates of an earlier one, or a message about a problem. */
function parseTags(value: unknown): string[] | string {
  if (typeof value === 'string' && value.length > TEXT_MAX_LENGTH) return FAR_TOO_MANY;
  const items = typeof value === 'string' ? value.split(',') : (value ?? []);
  if (!Array.isArray(items)) return 'The tags must be an array of texts, or one comma-separated text.';
  const texts = items.filter((item) => typeof item === 'string');
  if (texts.length < items.length) return 'Each tag must be text.';
  const tags = texts.map(foldLines).filter((tag) => tag !== '');
  if (tags.length === 0) return 'The tags are required: send at least one.';
  if (tags.length > TAGS_MAX) return `The tags are too many: send at most ${TAGS_MAX} in one request.`;
  if (!tags.every(isStorableText)) return 'The tags contain a character that cannot be stored. Remove it.';
  if (tags.some((tag) => lengthOf(tag) > TAG_MAX_LENGTH)) {
    return `Each tag must be at most ${TAG_MAX_LENGTH} characters.`;
  }
  return [...Map.groupBy(tags, tagKey).values()].flatMap(([first]) => first ?? []);
}
