import { tagKey } from '#server/contract/tag-key.ts';
import { batchOneAtATime } from '#server/core/database/batch.ts';
import { unprepared } from '#server/core/database/sql.ts';
import { shown } from '#server/core/shown-count.ts';
import { searchWords } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { InboxFilter } from '#server/inbox/lists/inbox-filter.ts';
import { sectionToCount } from '#server/inbox/lists/inbox-order.ts';
import { isScanOnly, narrowed, scan } from '#server/inbox/lists/inbox-sql.ts';
import { mergedOwner, searchQuery } from '#server/inbox/lists/search-query.ts';
import type { SavedView as SavedViewRow } from '#server/inbox/saved-views/saved-views.ts';
import { type FilterReader, filterOf, orderedInput } from '#server/screens/inbox/filter-input.ts';
import { SHOWN_VIEWS } from '#server/screens/inbox/shown-views.ts';
import type { OrderedInput, SavedView, ShownCount } from '#server/screens/inbox/views.ts';

/** Upper bound on counting a view, and the number of its first conversations among which it is counted. */
const COUNTED_MAX = 99;
const WINDOW = 250;
/** Lower, because a search reads the contact and the messages of each conversation. */
const WINDOW_SEARCHING = 50;

type Count = { found: number; more: boolean };

/** Returns saved views for the navigation, which shows the first ones with their numbers of conversations. */
export async function countShownViews(
  views: SavedViewRow[],
  reader: FilterReader,
  mayShare: boolean,
): Promise<SavedView[]> {
  const parsed = parseViews(views, reader);
  const counts = await countParsed(parsed.slice(0, SHOWN_VIEWS), reader);
  return parsed.map(({ filter: _filter, ...view }) => ({
    ...view,
    mayEdit: mayShare || !view.isShared,
    found: counts[view.id] ?? UNKNOWN,
  }));
}

/** Returns the numbers of conversations of the views that the navigation folds, by the ids of the views. */
export function countFoldedViews(
  views: SavedViewRow[],
  reader: FilterReader,
): Promise<Record<string, ShownCount>> {
  return countParsed(parseViews(views, reader).slice(SHOWN_VIEWS), reader);
}

type ParsedView = Omit<SavedViewRow, 'filters'> & { filters: OrderedInput; filter: InboxFilter };

function parseViews(views: SavedViewRow[], reader: FilterReader): ParsedView[] {
  return views.flatMap(({ filters, ...view }) => {
    const { data } = orderedInput.safeParse(filters);
    if (!data) return [];
    const { order: _order, ...filter } = data;
    return [{ ...view, filters: data, filter: filterOf(filter, reader) }];
  });
}

/**
 * Counts the conversations of saved views up to 99, with one statement. A filter that no index answers is counted among
 * its first 250 conversations, and `more` says that there are others. Views that differ only in what no index answers are
 * counted in one pass over these conversations, with their tags and texts. Equal filters are counted once.
 */
async function countParsed(
  views: ParsedView[],
  { workspaceId }: FilterReader,
): Promise<Record<string, ShownCount>> {
  if (views.length === 0) return {};
  const counts = await countTogether(
    workspaceId,
    views.map(({ filter }) => filter),
  );
  const entries = views.map(({ id, filter }) => {
    const { found, more } = counts.get(keyOf(filter)) ?? NONE;
    return [id, shown(found, more, COUNTED_MAX)] as const;
  });
  return Object.fromEntries(entries);
}

const NONE: Count = { found: 0, more: false };
const UNKNOWN: ShownCount = { count: 0, more: true };

type Counts = ReadonlyMap<string, Count>;

/** Teammates whose views are counted with one statement. */
const TEAMMATES_MAX = 5;

/** The workspaces whose views are being counted, and the number of teammates who wait for it. */
const counting = new Map<string, { counter: ReturnType<typeof createCounter>; teammates: number }>();

function createCounter() {
  return batchOneAtATime(async (lists: readonly InboxFilter[][]) => {
    const counts = await countFilters(lists.flat());
    return lists.map(() => counts);
  }, TEAMMATES_MAX);
}

/**
 * Counts filters with one statement at a time per workspace. A change refetches the views of all teammates, who have the
 * shared ones in common. A count never began before it was requested.
 */
async function countTogether(workspaceId: string, filters: InboxFilter[]): Promise<Counts> {
  const entry = counting.get(workspaceId) ?? { counter: createCounter(), teammates: 0 };
  counting.set(workspaceId, entry);
  entry.teammates += 1;
  try {
    return await entry.counter(filters);
  } finally {
    entry.teammates -= 1;
    if (entry.teammates === 0) counting.delete(workspaceId);
  }
}

/** Equal filters have the same key. */
const keyOf = (filter: InboxFilter) => JSON.stringify(filter);

/** Filters that are counted in one pass over the same rows. */
type Pass = { rows: Prisma.Sql; more: Prisma.Sql; keys: string[]; conditions: Prisma.Sql[] };

async function countFilters(filters: InboxFilter[]): Promise<Counts> {
  const ctes = new Map<string, Prisma.Sql>();
  const passes = new Map<string, Pass>();
  for (const [key, filter] of new Map(filters.map((each) => [keyOf(each), each]))) {
    const isEmpty = filter.search !== undefined && searchWords(filter.search) === null;
    if (!isEmpty) addToPass(passes, ctes, { key, filter });
  }
  if (passes.size === 0) return new Map();
  const all = [...passes.values()];
  const parts = ctes.size === 0 ? Prisma.empty : Prisma.sql`with ${Prisma.join([...ctes.values()])}`;
  const [row] = await unprepared().$queryRaw<{ counts: { found: number[]; more: boolean }[] }[]>(
    Prisma.sql`${parts} select json_build_array(${Prisma.join(all.map(countOf))}) as counts`,
  );
  const counted = all.flatMap(({ keys }, n) => {
    const counts = row?.counts[n];
    return keys.map((key, at): [string, Count] => [
      key,
      { found: counts?.found[at] ?? 0, more: counts?.more ?? false },
    ]);
  });
  return new Map(counted);
}

/** Adds a filter to the pass over its rows. Adds the CTEs that it reads to `ctes`. */
function addToPass(
  passes: Map<string, Pass>,
  ctes: Map<string, Prisma.Sql>,
  { key, filter }: { key: string; filter: InboxFilter },
): void {
  const section = sectionToCount(filter);
  if (isScanOnly(filter, section)) {
    const rows = Prisma.sql`(${scan(filter, { section, rows: COUNTED_MAX + 1 })}) w`;
    passes.set(key, { rows, more: Prisma.sql`false`, keys: [key], conditions: [Prisma.sql`true`] });
    return;
  }
  const { workspaceId, tag, search, ...others } = filter;
  const window = search === undefined ? WINDOW : WINDOW_SEARCHING;
  const scanned = shared(scan(filter, { section, rows: window }), ctes);
  const { joins, where } = narrowed({ workspaceId, ...others }, { section });
  const conditions = [where];
  if (tag !== undefined) {
    const tags = shared(tagsOf(scanned), ctes);
    conditions.push(Prisma.sql`w.id in (select id from ${tags} where key = ${tagKey(tag)})`);
  }
  const query = searchQuery(filter);
  if (query) {
    const texts = shared(textsOf(scanned, workspaceId), ctes);
    const owner = mergedOwner(filter);
    const isOwner = owner ? Prisma.sql`or w.contact_id = ${owner}` : Prisma.empty;
    conditions.push(Prisma.sql`(w.id in (select id from ${texts} where search @@ ${query}) ${isOwner})`);
  }
  const rows = Prisma.sql`${scanned} w ${joins}`;
  const more = Prisma.sql`(select count(*) from ${scanned}) >= ${window}::int`;
  const name = JSON.stringify([rows.sql, rows.values]);
  const pass = passes.get(name) ?? { rows, more, keys: [], conditions: [] };
  passes.set(name, pass);
  pass.keys.push(key);
  pass.conditions.push(Prisma.join(conditions, ' and '));
}

/** Returns SQL for the counts of a pass. */
function countOf({ rows, more, conditions }: Pass): Prisma.Sql {
  const found = conditions.map((condition) => Prisma.sql`count(*) filter (where ${condition})`);
  return Prisma.sql`(
    select json_build_object('found', json_build_array(${Prisma.join(found)}), 'more', ${more}) from ${rows})`;
}

/** Returns SQL for the tags of scanned conversations. `offset 0` makes the planner look them up by conversation. */
function tagsOf(scanned: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`select w.id, t.key from ${scanned} w cross join lateral (
    select key from conversation_tags where conversation_id = w.id offset 0) t`;
}

/** Returns SQL for the searched words of scanned conversations: subject, contact, messages and notes. */
function textsOf(scanned: Prisma.Sql, workspaceId: string): Prisma.Sql {
  return Prisma.sql`select w.id, t.search from ${scanned} w cross join lateral (
    select w.search
    union all select search from contacts where workspace_id = ${workspaceId}::uuid and id = w.contact_id
    union all select search from messages where conversation_id = w.id
    union all select search from notes where conversation_id = w.id offset 0) t`;
}

/** Returns the name of the CTE with this statement. */
function shared(statement: Prisma.Sql, ctes: Map<string, Prisma.Sql>): Prisma.Sql {
  const key = JSON.stringify([statement.sql, statement.values]);
  const position = [...ctes.keys()].indexOf(key);
  const name = Prisma.raw(`shared_${position === -1 ? ctes.size : position}`);
  if (position === -1) ctes.set(key, Prisma.sql`${name} as materialized (${statement})`);
  return name;
}
