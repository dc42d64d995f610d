import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { isCommandName, normalizeCommand } from '#server/inbox/commands/command-name.ts';

/** A reply that starts with `/` and a letter or digit is a command. */
const COMMAND_START = /^\/[\p{L}\p{N}]/u;
/** Maximum number of commands that a message lists by name; the rest are counted. */
const NAMED_MAX = 10;
/** Maximum length of the quoted input, in characters: the length of the longest command name. */
const SHOWN_MAX = 48;

const AS_TEXT = 'To send it as text, start with a space.';

const list = new Intl.ListFormat('en-GB');

/**
 * Refuses a reply that is a command, so that a command never reaches the contact (`docs/spec.md` §1, `docs/rulings.md`
 * 3.17). Applies to replies from the inbox, whatever the page had loaded.
 * @throws Refusal under `content` that says what to do and lists the available commands
 */
export async function refuseCommand(
  db: Db,
  { workspaceId, content }: { workspaceId: string; content: string },
): Promise<void> {
  if (!COMMAND_START.test(content)) return;
  const typed = content.split(/\s/, 1)[0] ?? '';
  const name = normalizeCommand(typed);
  if (!isCommandName(name)) {
    throw invalid({ content: [`“${shorten(typed)}” is not a command, so nothing was sent. ${AS_TEXT}`] });
  }
  const listened = await listCommands(db, workspaceId);
  const listens = listened.any !== null || listened.commands.some((command) => command.name === name);
  const sentences = listens
    ? `/${name} is a command, so nothing was sent. Run it with “Run command”.`
    : `No workflow listens for /${name}, so nothing was sent. ${describeCommands(listened)}`;
  throw invalid({ content: [`${sentences} ${AS_TEXT}`] });
}

function describeCommands({ commands }: ListenedCommands): string {
  const names = commands.map((command) => `/${command.name}`);
  if (names.length === 0) return 'There are no commands in this workspace yet.';
  const more = names.length - NAMED_MAX;
  const named = more > 0 ? [...names.slice(0, NAMED_MAX), `${more} more`] : names;
  return `${named.length === 1 ? 'The only command is' : 'The commands are'} ${list.format(named)}.`;
}

/** Cuts by code points, so no surrogate pair is split. */
function shorten(typed: string): string {
  const [...points] = typed.slice(0, 2 * (SHOWN_MAX + 2));
  return points.length > SHOWN_MAX + 1 ? `${points.slice(0, SHOWN_MAX + 1).join('')}…` : typed;
}

/**
 * SQL: joins hooks `h` to the connections `c` that can receive events now. A delivery is cancelled when the connection
 * has ended or its teammate is no longer owner or admin (docs/rulings.md 5.11).
 */
export const COMMAND_RECEIVERS = Prisma.sql`
  join connections c on c.id = h.connection_id and c.ended_at is null
  join members m on m.workspace_id = h.workspace_id and m.user_id = c.user_id and m.role in ('owner', 'admin')`;

/** Returns the commands that can be run in a workspace now, over all of its connections (docs/spec.md §1). */
export function listCommands(db: ReadDb, workspaceId: string): Promise<ListenedCommands> {
  const statement = Prisma.sql`
    select h.command, count(*)::int as workflows,
      array_agg(distinct c.teammate_name order by c.teammate_name) as teammates
    from hooks h ${COMMAND_RECEIVERS}
    where h.workspace_id = ${workspaceId}::uuid and h.event = 'operator.command' and h.removed_at is null
    group by h.command order by h.command collate "C"`;
  return runRead(db, statement, listened);
}

function listened(rows: ({ command: string | null } & Listeners)[]): ListenedCommands {
  return {
    commands: rows.flatMap(({ command, ...listeners }) =>
      command === null ? [] : [{ name: command, ...listeners }],
    ),
    any: rows.flatMap(({ command, ...listeners }) => (command === null ? [listeners] : []))[0] ?? null,
  };
}

/** Hooks that listen for a command: the number of workflows, and the names of the connected teammates, sorted. */
export type Listeners = { workflows: number; teammates: string[] };

export type ListenedCommands = {
  /** Commands with at least one live hook, sorted by name, without duplicates. */
  commands: ({ name: string } & Listeners)[];
  /** Hooks without a command filter: any name may then be typed. Null when there are none. */
  any: Listeners | null;
};
