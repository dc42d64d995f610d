import { parseArgs } from 'node:util';
import { codeOf, UserError } from '#scripts/tools/user-error.ts';
import { Plan } from '#server/generated/prisma/enums.ts';

/** What a workspace is made of on the command line. */
export type WorkspaceArguments = {
  name: string;
  plan: Plan;
  ownerEmail: string;
  ownerName: string | undefined;
};

const EXAMPLE =
  'For example: npm run workspace:create -- --name "Acme" --plan growth --owner-email ada@example.com --owner-name "Ada Lovelace"';
const PLANS = new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.values(Plan));

/**
 * Reads what `npm run workspace:create` was given. Throws a `UserError` with a line for each argument that is
 * missing, unknown or not possible.
 */
export function readArguments(args: string[]): WorkspaceArguments {
  const { name, plan, 'owner-email': ownerEmail, 'owner-name': ownerName } = parse(args);
  const chosen = Object.values(Plan).find((each) => each === plan?.toLowerCase());
  const problems = [
    ...(name?.trim() ? [] : ['--name is missing: it is what the workspace is called.']),
    ...(plan ? [] : [`--plan is missing: it is ${PLANS}.`]),
    ...(plan && !chosen ? [`--plan must be ${PLANS}, not "${plan}".`] : []),
    ...(ownerEmail?.trim() ? [] : ['--owner-email is missing: it is the address of the first owner.']),
  ];
  if (!name || !chosen || !ownerEmail || problems.length > 0) {
    throw new UserError([...problems, EXAMPLE].join('\n'));
  }
  return { name, plan: chosen, ownerEmail, ownerName };
}

function parse(args: string[]) {
  const option = { type: 'string' } as const;
  const options = { name: option, plan: option, 'owner-email': option, 'owner-name': option };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (!(error instanceof Error) || !codeOf(error)?.startsWith('ERR_PARSE_ARGS')) throw error;
    // What follows the first sentence is about programs that take other arguments.
    const [problem = ''] = error.message.split(/\. |\n/);
    throw new UserError(`${problem.replace(/\.?$/, '.')}\n${EXAMPLE}`);
  }
}
