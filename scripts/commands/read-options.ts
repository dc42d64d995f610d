import { parseArgs } from 'node:util';
import { codeOf, UserError } from '#server/core/user-error.ts';

/**
 * The options of a command, each with a value: `--name Acme` is `{ name: 'Acme' }`.
 * @throws UserError with the example, for an option that is unknown or has no value
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
    // What follows the first sentence is about programs that take other arguments.
    const [problem = ''] = error.message.split(/\. |\n/);
    throw new UserError(`${problem.replace(/\.?$/, '.')}\n${example}`);
  }
}
