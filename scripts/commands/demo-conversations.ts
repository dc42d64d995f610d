import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { fillConversations } from '#prisma/demo-conversations/fill-conversations.ts';
import { explainDatabaseError } from '#scripts/commands/explain-database-error.ts';
import { fillInSettings } from '#scripts/start/fill-in-settings.ts';
import { loadEnvFile } from '#scripts/tools/project.ts';
import { codeOf, runCli, UserError } from '#scripts/tools/user-error.ts';

const COUNT_MAX = 5_000_000;
const EXAMPLE = 'For example: npm run demo:conversations -- --count 100000 --workspace "Demo Growth"';

/** How many conversations for which workspace. Throws a `UserError` that says what is wrong. */
export function readDemoArguments(args: string[]): { count: number; workspace: string } {
  const option = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ args, options: { count: option, workspace: option } });
    const count = Number(values.count ?? 10_000);
    if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) {
      throw new UserError(
        `--count must be a whole number from 1 to ${COUNT_MAX.toLocaleString('en')}.\n${EXAMPLE}`,
      );
    }
    return { count, workspace: values.workspace ?? 'Demo Growth' };
  } catch (error) {
    if (!(error instanceof Error) || !codeOf(error)?.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new UserError(`${error.message.split(/\. |\n/)[0]}.\n${EXAMPLE}`);
  }
}

async function findWorkspace(client: Client, name: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'select id from workspaces where name = $1 and deleted_at is null order by created_at limit 1',
    [name],
  );
  if (!rows[0]) throw new UserError(`There is no workspace named ${name}: name one with --workspace.`);
  return rows[0].id;
}

/**
 * `npm run demo:conversations`: fills a workspace with conversations, to see the inbox as a large team does. It works on
 * the database of DATABASE_URL, or on the one that a running `npm start` keeps.
 */
if (import.meta.main) {
  await runCli(async () => {
    const { count, workspace } = readDemoArguments(process.argv.slice(2));
    loadEnvFile();
    await fillInSettings(process.env);
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    try {
      await client.connect();
      const workspaceId = await findWorkspace(client, workspace);
      const started = Date.now();
      const onProgress = (made: number) => {
        const rate = Math.round(made / Math.max(1, (Date.now() - started) / 1000));
        const line = `${made.toLocaleString('en')} of ${count.toLocaleString('en')} conversations (${rate} a second)`;
        if (process.stdout.isTTY) process.stdout.write(`\r${line}   `);
        else console.log(line);
      };
      await fillConversations(client, { workspaceId, count, onProgress });
      if (process.stdout.isTTY) process.stdout.write('\n');
      // Without fresh figures the database would still plan for a small workspace.
      await client.query(
        'analyze contacts, conversations, conversation_tags, messages, timeline_entries, samples',
      );
      console.log(`${workspace} has ${count.toLocaleString('en')} more conversations.`);
    } catch (error) {
      throw explainDatabaseError(error);
    } finally {
      await client.end();
    }
  });
}
