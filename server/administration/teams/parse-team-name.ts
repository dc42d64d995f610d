import { parseName } from '#server/contract/parse-name.ts';
import { invalid, type Refusal } from '#server/core/errors.ts';

/**
 * The name of a team as it was typed, trimmed.
 * @throws Refusal when it is empty, too long, or cannot be shown in one line
 */
export function parseTeamName(typed: string): string {
  return parseName(typed, { field: 'name', label: 'team name' });
}

/** The refusal of a name that another team of the workspace has, in upper or lower case. */
export function nameTaken(name: string): Refusal {
  return invalid({ name: [`There is already a team called ${name}. Choose another name.`] });
}
