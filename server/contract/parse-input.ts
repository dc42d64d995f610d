import type { z } from 'zod';
import { fieldErrors } from '#server/contract/field-errors.ts';
import { invalid } from '#server/core/errors.ts';

/**
 * Reads what a form sent by the very rules of the API, so that limits and sentences are the same.
 * @throws Refusal with a sentence under each field that is wrong
 */
export function parseInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  const read = shape.safeParse(input);
  if (read.success) return read.data;
  throw invalid(fieldErrors(read.error));
}
