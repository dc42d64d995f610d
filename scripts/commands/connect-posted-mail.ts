import { parseArgs } from 'node:util';
import { validate as isUuid } from 'uuid';
import { explainDatabaseError } from '#scripts/commands/explain-database-error.ts';
import { fillInSettings } from '#scripts/start/fill-in-settings.ts';
import { loadEnvFile } from '#scripts/tools/project.ts';
import { runCli, UserError } from '#scripts/tools/user-error.ts';
import { closeDatabase, db } from '#server/ground/db.ts';
import { refusalIn } from '#server/ground/errors.ts';
import { connectPostedMail } from '#server/inbox/channels/email/connect-posted-mail.ts';

/** `npm run mail:address -- --workspace <id>`: the address to which a provider posts mail for a workspace, and its secret. */
await runCli(async () => {
  const { workspace: id = '' } = parseArgs({ options: { workspace: { type: 'string' } } }).values;
  if (!isUuid(id))
    throw new UserError('--workspace is missing: it is the id of the workspace, as the API shows it.');
  loadEnvFile();
  await fillInSettings(process.env);
  try {
    if ((await db().workspace.count({ where: { id, deletedAt: null } })) === 0) {
      throw new UserError(`--workspace: there is no workspace ${id}.`);
    }
    const { address, signingSecret } = await connectPostedMail(id);
    console.log(`Have your provider post mail to this address:\n\n  ${address}\n`);
    console.log(`It signs with this secret, which is not shown again:\n\n  ${signingSecret}\n`);
  } catch (error) {
    const refusal = refusalIn(error);
    throw refusal ? new UserError(refusal.message) : explainDatabaseError(error);
  } finally {
    await closeDatabase();
  }
});
