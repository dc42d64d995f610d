import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ListenedCommands, Listeners } from '#server/inbox/commands/views.ts';

/** The commands that live hooks of a workspace listen for, whichever connection they are of (spec.md §1). */
export function listCommands(db: ReadDb, workspaceId: string): Promise<ListenedCommands> {
  const statement = Prisma.sql`
    select h.command, count(*)::int as workflows,
      array_agg(distinct c.teammate_name order by c.teammate_name) as teammates
    from hooks h join connections c on c.id = h.connection_id
    where h.workspace_id = ${workspaceId}::uuid and h.event = 'operator.command' and h.removed_at is null
    group by h.command order by h.command collate "C"`;
  return ask(db, read(statement, listened));
}

function listened(rows: ({ command: string | null } & Listeners)[]): ListenedCommands {
  return {
    commands: rows.flatMap(({ command, ...listeners }) =>
      command === null ? [] : [{ name: command, ...listeners }],
    ),
    any: rows.flatMap(({ command, ...listeners }) => (command === null ? [listeners] : []))[0] ?? null,
  };
}
