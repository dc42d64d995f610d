import { textProblem } from '#server/contract/fields/fields.ts';
import { invalid } from '#server/ground/errors.ts';

/**
 * What a teammate wrote in the app, as it is kept: its white space stays, but white space alone is empty, and length
 * counts as in the API (decisions: values, 4 and 5).
 * @throws Refusal under `content` that names what was written
 */
export function parseContent(text: string, { label, max }: { label: string; max: number }): string {
  const problem = text.trim() === '' ? `The ${label} is empty.` : textProblem(text, { label, max });
  if (problem) throw invalid({ content: [problem] });
  return text;
}
