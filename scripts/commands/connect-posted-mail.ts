import { validate as isUuid } from 'uuid';
import { readOptions } from '#scripts/commands/read-options.ts';
import { runOnDatabase } from '#scripts/commands/run-on-database.ts';
import { db } from '#server/core/database/prisma.ts';
import { runCli, UserError } from '#server/core/user-error.ts';
import { connectPostedMail } from '#server/inbox/channels/email/connect-posted-mail.ts';

const EXAMPLE = 'For example: npm run mail:address -- --workspace <id>';

/**
 * `npm run mail:address -- --workspace <id>`: creates the address to which a provider posts mail of a workspace, and
 * prints its secret.
 */
await runCli(async () => {
  const { workspace: id = '' } = readOptions(process.argv.slice(2), ['workspace'], EXAMPLE);
  if (!isUuid(id))
    throw new UserError('--workspace is missing: it is the id of the workspace, as the API shows it.');
  await runOnDatabase(async () => {
    if ((await db().workspace.count({ where: { id, deletedAt: null } })) === 0) {
      throw new UserError(`--workspace: there is no workspace ${id}.`);
    }
    const { address, signingSecret } = await connectPostedMail(id);
    console.log(`Address to which your provider posts mail:\n\n  ${address}\n`);
    console.log(`Secret for its signatures, which is not shown again:\n\n  ${signingSecret}\n`);
  });
});
