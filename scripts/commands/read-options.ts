import { parseArgs } from 'node:util';
import { codeOf, UserError } from '#server/core/user-error.ts';

/**
 * Parses command-line options with values: `--name Acme` becomes `{ name: 'Acme' }`.
 * @throws UserError with the example when an option is unknown or has no value
 */
export function readOptions(
  args: string[],
  names: string[],
  example: string,
): Record<string, string | undefined> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (!(error instanceof Error) || !codeOf(error)?.startsWith('ERR_PARSE_ARGS')) throw error;
    // The rest of the message is about programs with positional arguments.
    const [problem = ''] = error.message.split(/\. |\n/);
    throw new UserError(`${problem.replace(/\.?$/, '.')}\n${example}`);
  }
}
