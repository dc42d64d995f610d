import type { Client } from 'pg';
import { fillConversations } from '#prisma/demo-conversations/fill-conversations.ts';
import { readOptions } from '#scripts/commands/read-options.ts';
import { runOnDatabase } from '#scripts/commands/run-on-database.ts';
import { withClient } from '#scripts/postgres/embedded-postgres.ts';
import { runCli, UserError } from '#server/core/user-error.ts';

const COUNT_MAX = 5_000_000;
const EXAMPLE = 'For example: npm run demo:conversations -- --count 100000 --workspace "Demo Growth"';

async function findWorkspace(client: Client, name: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'select id from workspaces where name = $1 and deleted_at is null order by created_at limit 1',
    [name],
  );
  if (!rows[0]) throw new UserError(`There is no workspace named ${name}: choose one with --workspace.`);
  return rows[0].id;
}

/** Shows progress: one updating line on a terminal, otherwise several lines. */
function progressOf(count: number): (made: number) => void {
  const started = performance.now();
  return (made) => {
    const rate = Math.round((made * 1_000) / Math.max(1_000, performance.now() - started));
    const line = `${made.toLocaleString('en')} of ${count.toLocaleString('en')} conversations (${rate} a second)`;
    process.stdout.write(process.stdout.isTTY ? `\r${line}   ` : `${line}\n`);
  };
}

/**
 * `npm run demo:conversations`: fills a workspace with conversations in the database of DATABASE_URL, or of a running
 * `npm start`.
 */
await runCli(async () => {
  const values = readOptions(process.argv.slice(2), ['count', 'workspace'], EXAMPLE);
  const { workspace = 'Demo Growth' } = values;
  const count = Number(values.count ?? 10_000);
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) {
    throw new UserError(
      `--count must be a whole number from 1 to ${COUNT_MAX.toLocaleString('en')}.\n${EXAMPLE}`,
    );
  }
  await runOnDatabase(() =>
    withClient(process.env.DATABASE_URL, async (client) => {
      const workspaceId = await findWorkspace(client, workspace);
      await fillConversations(client, { workspaceId, count, onProgress: progressOf(count) });
      // The planner still has the statistics of a small workspace.
      await client.query(
        'analyze contacts, conversations, conversation_tags, messages, timeline_entries, samples',
      );
      console.log(`\n${workspace} has ${count.toLocaleString('en')} more conversations.`);
    }),
  );
});
