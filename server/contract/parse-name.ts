import { nameProblem, textProblem } from '#server/contract/fields.ts';
import { invalid } from '#server/core/errors.ts';
import { cleanName } from '#server/core/text.ts';

/** Maximum characters in a name of a person or workspace. */
export const NAME_MAX_LENGTH = 80;

/**
 * Parses a typed name, trimmed.
 * @param field field of the error messages
 * @param label name of the field in the messages
 * @throws Refusal when the name is empty, too long, or not one line of plain text
 */
export function parseName(typed: string, { field, label }: { field: string; label: string }): string {
  const name = typed.trim();
  const problem =
    name === ''
      ? `The ${label} must not be empty.`
      : (textProblem(name, { label, max: NAME_MAX_LENGTH }) ??
        nameProblem(name, { label }) ??
        (cleanName(name) === name ? undefined : `The ${label} must be one line of plain text.`));
  if (problem) throw invalid({ [field]: [problem] });
  return name;
}
