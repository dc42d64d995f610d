import { readOptions } from '#scripts/commands/read-options.ts';
import { runOnDatabase } from '#scripts/commands/run-on-database.ts';
import { invitationUrl } from '#server/administration/invitations/mail-invitation.ts';
import {
  type CreatedWorkspace,
  createWorkspace,
} from '#server/administration/workspaces/create-workspace.ts';
import { settings } from '#server/core/env.ts';
import { formatTimestamp } from '#server/core/mail/service-mail.ts';
import { runCli, UserError } from '#server/core/user-error.ts';
import { Plan } from '#server/generated/prisma/enums.ts';
import { PLANS } from '#server/teammates/plans.ts';

type WorkspaceArguments = {
  name: string;
  plan: Plan;
  ownerEmail: string;
  ownerName: string | undefined;
};

const EXAMPLE =
  'For example: npm run workspace:create -- --name "Acme" --plan growth --owner-email ada@example.com --owner-name "Ada Lovelace"';
const PLAN_KEYS = new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.values(Plan));

/**
 * Parses the arguments of `npm run workspace:create`.
 * @throws UserError with a line for each argument that is missing, unknown or invalid
 */
export function readArguments(args: string[]): WorkspaceArguments {
  const values = readOptions(args, ['name', 'plan', 'owner-email', 'owner-name'], EXAMPLE);
  const { name, plan, 'owner-email': ownerEmail, 'owner-name': ownerName } = values;
  const chosen = Object.values(Plan).find((each) => each === plan?.toLowerCase());
  const problems = [
    ...(name?.trim() ? [] : ['--name is missing: it is what the workspace is called.']),
    ...(plan ? [] : [`--plan is missing: it is ${PLAN_KEYS}.`]),
    ...(plan && !chosen ? [`--plan must be ${PLAN_KEYS}, not "${plan}".`] : []),
    ...(ownerEmail?.trim() ? [] : ['--owner-email is missing: it is the address of the first owner.']),
  ];
  if (!name || !chosen || !ownerEmail || problems.length > 0) {
    throw new UserError([...problems, EXAMPLE].join('\n'));
  }
  return { name, plan: chosen, ownerEmail, ownerName };
}

function describeResult(wanted: WorkspaceArguments, created: CreatedWorkspace): string {
  const { name, plan, ownerEmail } = wanted;
  const made = `Created the workspace ${name} on the ${PLANS[plan].planName} plan.`;
  if (created.kind === 'joined') {
    return `${made} ${ownerEmail} already has an account and is now its owner. They sign in here:\n\n  ${settings().BASE_URL}/sign-in\n`;
  }
  const first =
    created.kind === 'invited'
      ? made
      : `The workspace ${name} already exists, and its owner has not accepted the invitation yet. Earlier links no longer work.`;
  const until = formatTimestamp(created.expiresAt);
  return `${first} Its owner ${ownerEmail} sets a password here, once, until ${until}:\n\n  ${invitationUrl(created.token)}\n`;
}

const ARGUMENTS: Record<string, string> = {
  name: '--name',
  plan: '--plan',
  email: '--owner-email',
  ownerName: '--owner-name',
};

/**
 * `npm run workspace:create`: creates a workspace in the database of DATABASE_URL, or of a running `npm start`, and
 * prints the owner's invitation link.
 */
if (import.meta.main) {
  await runCli(async () => {
    const wanted = readArguments(process.argv.slice(2));
    await runOnDatabase(
      async () => console.log(describeResult(wanted, await createWorkspace(wanted))),
      ARGUMENTS,
    );
  });
}
