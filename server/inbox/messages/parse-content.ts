import { textProblem } from '#server/contract/fields.ts';
import { invalid } from '#server/core/errors.ts';

/**
 * What a teammate wrote in the app, as it is kept: its white space stays, but white space alone is empty, and length
 * counts as in the API (decisions: values, 4 and 5).
 * @param given.mayBeEmpty whether it may say nothing, as it has files: then white space alone is kept as nothing
 * @throws Refusal under `content` that names what was written
 */
export function parseContent(
  text: string,
  { label, max, mayBeEmpty = false }: { label: string; max: number; mayBeEmpty?: boolean },
): string {
  const isEmpty = text.trim() === '';
  if (isEmpty && mayBeEmpty) return '';
  const problem = isEmpty ? `The ${label} is empty.` : textProblem(text, { label, max });
  if (problem) throw invalid({ content: [problem] });
  return text;
}
