import { validate as isUuid } from 'uuid';
import { readOptions } from '#scripts/commands/read-options.ts';
import { runOnDatabase } from '#scripts/commands/run-on-database.ts';
import { db } from '#server/core/database/prisma.ts';
import { runCli, UserError } from '#server/core/user-error.ts';
import { connectPostedMail } from '#server/inbox/channels/email/connect-posted-mail.ts';

const EXAMPLE = 'For example: npm run mail:address -- --workspace <id>';

/** `npm run mail:address -- --workspace <id>`: the address to which a provider posts mail for a workspace, and its secret. */
await runCli(async () => {
  const { workspace: id = '' } = readOptions(process.argv.slice(2), ['workspace'], EXAMPLE);
  if (!isUuid(id))
    throw new UserError('--workspace is missing: it is the id of the workspace, as the API shows it.');
  await runOnDatabase(async () => {
    if ((await db().workspace.count({ where: { id, deletedAt: null } })) === 0) {
      throw new UserError(`--workspace: there is no workspace ${id}.`);
    }
    const { address, signingSecret } = await connectPostedMail(id);
    console.log(`Have your provider post mail to this address:\n\n  ${address}\n`);
    console.log(`It signs with this secret, which is not shown again:\n\n  ${signingSecret}\n`);
  });
});
