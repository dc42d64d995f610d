import { CHOICES_MAX } from '#server/contacts/custom-fields.ts';
import { textProblem } from '#server/contract/fields.ts';
import { invalid } from '#server/core/errors.ts';
import { cleanName } from '#server/core/text.ts';
import type { FieldSubject } from '#server/generated/prisma/enums.ts';

/** Maximum characters in the name of a field or choice. */
const FIELD_NAME_MAX = 60;

/** Names of what every contact or conversation has. A field of the same name would be mistaken for it. */
const TAKEN: Record<FieldSubject, string[]> = {
  contact: ['name', 'first name', 'last name', 'full name', 'email', 'phone', 'company', 'city', 'language'],
  conversation: [
    'subject',
    'status',
    'priority',
    'channel',
    'assignee',
    'assigned to',
    'team',
    'tags',
    'contact',
  ],
};

/**
 * Parses the typed name of a field.
 * @throws Refusal when the name is empty, too long, contains a brace or a bar, which variables of saved replies use, or is that of
 *   something which every contact or conversation has
 */
export function parseFieldName(typed: string, subject: FieldSubject): string {
  const name = cleanName(typed);
  const problem =
    name === ''
      ? 'The name must not be empty.'
      : /[{}|]/.test(name)
        ? 'The name must not contain { } or |.'
        : textProblem(name, { label: 'name', max: FIELD_NAME_MAX });
  if (problem) throw invalid({ name: [problem] });
  if (TAKEN[subject].includes(name.toLowerCase().replaceAll(/[\s_]+/g, ' ')))
    throw invalid({ name: [`Every ${subject} already has this: ${name}. Choose another name.`] });
  return name;
}

/** A choice as typed. `id`: undefined for a new one. */
export type TypedChoice = { id?: string | undefined; name: string };

/**
 * Parses the typed names of choices. A new one without a name is left out.
 * @throws Refusal when a name is empty, too long or twice in the list, or there are none or too many
 */
export function parseChoices(typed: TypedChoice[]): TypedChoice[] {
  const choices = typed
    .map(({ id, name }) => ({ id, name: cleanName(name) }))
    .filter(({ id, name }) => id !== undefined || name !== '');
  const seen = new Set<string>();
  for (const { name } of choices) {
    const problem =
      name === '' ? EMPTY : textProblem(name, { label: 'name of a choice', max: FIELD_NAME_MAX });
    if (problem) throw invalid({ choices: [problem] });
    if (seen.has(name.toLowerCase())) throw invalid({ choices: [`There are two choices called ${name}.`] });
    seen.add(name.toLowerCase());
  }
  if (choices.length === 0) throw invalid({ choices: ['Add at least one choice.'] });
  if (choices.length > CHOICES_MAX)
    throw invalid({ choices: [`A field can have up to ${CHOICES_MAX} choices.`] });
  return choices;
}

const EMPTY = 'A choice must have a name. To remove a choice, use its button.';
