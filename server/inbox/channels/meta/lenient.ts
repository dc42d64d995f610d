import { z } from 'zod';

/** A text that may be missing, or be something else: then it is missing. What providers add later harms nothing. */
export const text = z.string().optional().catch(undefined);
/** A number that may be missing. */
export const number = z.number().optional().catch(undefined);

/** An object that may be missing, or be something else. */
export function optional<Shape extends z.ZodType>(shape: Shape) {
  return shape.optional().catch(undefined);
}

/** A list of which those parts are read that have the shape; none where it is no list. */
export function listOf<Shape extends z.ZodType>(shape: Shape) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((parts) =>
      parts.flatMap((part) => {
        const parsed = shape.safeParse(part);
        return parsed.success ? [parsed.data] : [];
      }),
    );
}
