import { nameProblem, textProblem } from '#server/contract/fields.ts';
import { invalid } from '#server/core/errors.ts';
import { cleanName } from '#server/core/text.ts';

/** A name that people and workspaces may have, in characters. */
const NAME_MAX_LENGTH = 80;

/**
 * A name as it was typed, trimmed.
 * @param field what the sentences about it are under
 * @param label what they call it
 * @throws Refusal when it is empty, too long, or cannot be shown in one line
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
