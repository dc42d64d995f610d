import { explainDatabaseError } from '#scripts/commands/explain-database-error.ts';
import { readArguments, type WorkspaceArguments } from '#scripts/commands/workspace-arguments.ts';
import { fillInSettings } from '#scripts/start/fill-in-settings.ts';
import { loadEnvFile } from '#scripts/tools/project.ts';
import { runCli, UserError } from '#scripts/tools/user-error.ts';
import { closeDatabase } from '#server/ground/db.ts';
import { settings } from '#server/ground/env.ts';
import { refusalIn } from '#server/ground/errors.ts';
import { formatTimestamp } from '#server/ground/mail/format-timestamp.ts';
import { invitationUrl } from '#server/members/invitations/invitation-url.ts';
import { type CreatedWorkspace, createWorkspace } from '#server/members/workspaces/create-workspace.ts';
import { PLANS } from '#server/people/teammates/plans.ts';

/** What to tell whoever made a workspace, with the link that its owner needs on a line of its own. */
function describeResult(wanted: WorkspaceArguments, created: CreatedWorkspace): string {
  const { name, plan, ownerEmail } = wanted;
  const made = `The workspace ${name} is made, on the ${PLANS[plan].planName} plan.`;
  if (created.kind === 'joined') {
    return `${made} ${ownerEmail} has an account already and is its owner. They sign in here:\n\n  ${settings().BASE_URL}/sign-in\n`;
  }
  const first =
    created.kind === 'invited'
      ? made
      : `The workspace ${name} already exists, and its owner has not accepted yet. Earlier links no longer work.`;
  const until = formatTimestamp(created.expiresAt);
  return `${first} Its owner ${ownerEmail} sets a password here, once, until ${until}:\n\n  ${invitationUrl(created.token)}\n`;
}

/** Under which argument the sentences of a refusal stand. */
const ARGUMENTS: Record<string, string> = {
  name: '--name',
  plan: '--plan',
  email: '--owner-email',
  ownerName: '--owner-name',
};

function explain(error: unknown): unknown {
  const refusal = refusalIn(error);
  if (!refusal) return explainDatabaseError(error);
  const lines = Object.entries(refusal.errors ?? {}).map(
    ([field, sentences]) => `${ARGUMENTS[field] ?? field}: ${sentences.join(' ')}`,
  );
  return new UserError(lines.join('\n') || refusal.message);
}

/**
 * `npm run workspace:create`: makes a workspace and prints the link with which its owner sets a password. It works on the
 * database of DATABASE_URL, or on the one that a running `npm start` keeps.
 */
await runCli(async () => {
  const wanted = readArguments(process.argv.slice(2));
  loadEnvFile();
  await fillInSettings(process.env);
  try {
    console.log(describeResult(wanted, await createWorkspace(wanted)));
  } catch (error) {
    throw explain(error);
  } finally {
    await closeDatabase();
  }
});
