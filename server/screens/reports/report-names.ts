import { sql } from '#server/core/database/sql.ts';
import { CHANNEL_LIST, CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { DIMENSIONS, NOBODY } from '#server/inbox/reports/measures.ts';
import type { ComparedBy, ReportOption } from '#server/screens/reports/views.ts';

const OPTIONS_MAX = 200;

/** Returns what a report can be about, by name. */
export async function listOptions(workspaceId: string): Promise<Record<ComparedBy, ReportOption[]>> {
  const found = await sql().$queryRaw<({ dimension: ComparedBy } & ReportOption)[]>`
    (select 'teammate' as dimension, u.id::text as key, u.name from members m join users u on u.id = m.user_id
     where m.workspace_id = ${workspaceId}::uuid order by u.name, u.id limit ${OPTIONS_MAX}::int)
    union all (select 'team', id::text, name from teams
     where workspace_id = ${workspaceId}::uuid and deleted_at is null order by name, id limit ${OPTIONS_MAX}::int)
    union all (select 'tag', key, name from tags
     where workspace_id = ${workspaceId}::uuid order by key limit ${OPTIONS_MAX}::int)`;
  const of = (dimension: ComparedBy) =>
    found.filter((each) => each.dimension === dimension).map(({ key, name }) => ({ key, name }));
  return {
    teammate: of('teammate'),
    team: of('team'),
    channel: CHANNEL_LIST.map((key) => ({ key, name: CHANNEL_NAMES[key].name })),
    tag: of('tag'),
  };
}

/** Returns the names of keys of a dimension. Those who left keep their name, and what was deleted is called former. */
export async function nameKeys(
  workspaceId: string,
  { by, keys }: { by: ComparedBy; keys: string[] },
): Promise<Map<string, string>> {
  const names = new Map(await NAMES[by](workspaceId, keys));
  return new Map(keys.map((key) => [key, names.get(key) ?? (key === NOBODY ? NONE[by] : FORMER[by](key))]));
}

type Names = [key: string, name: string][];

const NONE: Record<ComparedBy, string> = { teammate: 'Unassigned', team: 'No team', channel: '', tag: '' };

const FORMER: Record<ComparedBy, (key: string) => string> = {
  teammate: () => 'Former teammate',
  team: () => 'Former team',
  channel: (key) => key,
  tag: (key) => key,
};

const NAMES: Record<ComparedBy, (workspaceId: string, keys: string[]) => Promise<Names> | Names> = {
  // Only those whose conversations are in the workspace: a key of the address bar reveals no other name.
  teammate: (workspaceId, keys) =>
    fetchNames(sql().$queryRaw`
    select u.id::text as key, u.name from users u
    where u.id::text = any (${keys}::text[]) and u.deleted_at is null and (
      exists (select from members m where m.workspace_id = ${workspaceId}::uuid and m.user_id = u.id)
      or exists (select from report_counts c where c.workspace_id = ${workspaceId}::uuid and c.dimension = ${DIMENSIONS.teammate}::int and c.is_month
        and c.key = u.id::text))`),
  team: (workspaceId, keys) =>
    fetchNames(sql().$queryRaw`
    select id::text as key, name from teams where workspace_id = ${workspaceId}::uuid and id::text = any (${keys}::text[])`),
  channel: () => CHANNEL_LIST.map((key) => [key, CHANNEL_NAMES[key].name]),
  tag: (workspaceId, keys) =>
    fetchNames(sql().$queryRaw`
    select key, name from tags where workspace_id = ${workspaceId}::uuid and key = any (${keys}::text[])`),
};

async function fetchNames(rows: Promise<ReportOption[]>): Promise<Names> {
  return (await rows).map(({ key, name }) => [key, name]);
}
