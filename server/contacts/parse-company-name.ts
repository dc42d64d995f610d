import { COMPANY_NAME_MAX } from '#server/contacts/contact-limits.ts';
import { textProblem } from '#server/contract/fields.ts';
import { invalid } from '#server/core/errors.ts';

/** What is wrong with the name of a company, trimmed, as a sentence, or undefined. */
export function companyNameProblem(name: string): string | undefined {
  if (name === '') return 'Enter the company name.';
  return textProblem(name, { label: 'company name', max: COMPANY_NAME_MAX });
}

/**
 * The name of a company as it was typed, trimmed.
 * @throws Refusal when it is empty, too long, or holds a character that no text can have
 */
export function parseCompanyName(typed: string): string {
  const name = typed.trim();
  const problem = companyNameProblem(name);
  if (problem) throw invalid({ name: [problem] });
  return name;
}
