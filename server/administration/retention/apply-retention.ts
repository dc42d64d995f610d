import { applyToConversations } from '#server/administration/retention/apply-to-conversations.ts';
import { dueBefore, IS_DUE_FILE } from '#server/administration/retention/due-rows.ts';
import { cleanUpPool } from '#server/core/database/pools.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { BATCH_ROWS } from '#server/core/jobs/remove-in-batches.ts';
import { log } from '#server/core/log.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/** Time limit of a run in ms. The task runs each minute of the night, and the next run continues. */
const TIME_LIMIT_MS = 40_000;
/** After this part of that time, but not sooner than `TURN_MIN_MS`, another workspace has its turn. */
const TURN = 1 / 4;
const TURN_MIN_MS = 2_000;

/**
 * Applies the retention rules of all workspaces in batches, until nothing is due or the time is up. Each statement reads the rule again, so
 * that a change of the rule takes effect immediately. Each batch adds to the numbers of the night in its transaction.
 * Continues after a crash, and two runs together delete each row once.
 * @returns the number of workspaces whose night is finished
 */
export async function applyRetention({ timeLimitMs = TIME_LIMIT_MS } = {}): Promise<number> {
  const until = performance.now() + timeLimitMs;
  const failed: string[] = [];
  let finished = 0;
  while (performance.now() < until) {
    const workspaceId = await takeRule(failed);
    if (workspaceId === undefined) break;
    try {
      const turnEnds = performance.now() + Math.max(timeLimitMs * TURN, TURN_MIN_MS);
      if (await runNight(workspaceId, Math.min(until, turnEnds))) finished += 1;
    } catch (error) {
      failed.push(workspaceId);
      log().warn({ err: error, workspaceId }, 'retention.failed');
    }
  }
  return finished;
}

/** Takes the turn of the workspace that waited longest, of those whose night is not finished. Without one, returns undefined. */
async function takeRule(failed: string[]): Promise<string | undefined> {
  const [rule] = await sql().$queryRaw<{ workspaceId: string }[]>`
    update retention_rules set ran_at = clock_timestamp() where workspace_id = (
      select r.workspace_id from retention_rules r join workspaces w on w.id = r.workspace_id
      where r.starts_at <= now() and w.deleted_at is null and r.workspace_id <> all(${failed}::uuid[])
        and (r.conversation_days is not null or r.file_days is not null or r.audit_days is not null)
        and (r.finished_at is null or r.night is distinct from (now() at time zone 'UTC')::date)
      order by r.ran_at nulls first, r.workspace_id limit 1 for no key update of r skip locked)
    returning workspace_id as "workspaceId"`;
  return rule?.workspaceId;
}

/**
 * Runs the night of a workspace until it is finished or the time is up. A step that fails is left for the next run.
 * @returns whether the night is finished
 * @throws the error of a step, after the others
 */
async function runNight(workspaceId: string, until: number): Promise<boolean> {
  await inTransaction((tx) => beginNight(tx, workspaceId));
  const steps = [
    () => applyToConversations(workspaceId, until),
    ...STATEMENTS.map((statement) => () => deleteBatch(statement, workspaceId)),
  ];
  const errors: unknown[] = [];
  let isTimeUp = false;
  for (const step of steps) {
    try {
      while (!isTimeUp && (await step())) isTimeUp = performance.now() > until;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Steps of a retention rule failed');
  if (isTimeUp) return false;
  return inTransaction(async (tx) => {
    await recordNight(tx, workspaceId);
    return Boolean(
      await tx.$executeRaw`
        update retention_rules set finished_at = now() where workspace_id = ${workspaceId}::uuid and finished_at is null`,
    );
  });
}

/** Begins a night. Records the one before, which ran out of time. */
async function beginNight(tx: Tx, workspaceId: string): Promise<void> {
  const [rule] = await tx.$queryRaw<{ isTonight: boolean }[]>`
    select night is not distinct from (now() at time zone 'UTC')::date as "isTonight" from retention_rules
    where workspace_id = ${workspaceId}::uuid for update`;
  if (!rule || rule.isTonight) return;
  await recordNight(tx, workspaceId);
  await tx.$executeRaw`
    update retention_rules set night = (now() at time zone 'UTC')::date, finished_at = null
    where workspace_id = ${workspaceId}::uuid`;
}

/** Moves the numbers of a night to the audit log, without personal data. A night in which nothing was deleted has no entry. */
async function recordNight(tx: Tx, workspaceId: string): Promise<void> {
  const [rule] = await tx.$queryRaw<{ counts: Record<string, number> }[]>`
    select counts from retention_rules where workspace_id = ${workspaceId}::uuid for update`;
  const counts = Object.entries(rule?.counts ?? {});
  if (counts.length === 0) return;
  const data = Object.fromEntries(counts.map(([kind, count]) => [kind, String(count)]));
  await tx.$executeRaw`update retention_rules set counts = '{}' where workspace_id = ${workspaceId}::uuid`;
  await addAuditEntry(tx, { workspaceId, kind: 'retention_applied', data });
  log().info({ workspaceId, ...data }, 'retention.applied');
}

/** Deletes up to `BATCH_ROWS` rows of the workspace `$1` by its rule `r`. `erased`: those that no other worker deleted first. */
type Statement = { counts: string; ctes: string };

const RULE = `retention_rules r where r.workspace_id = $1 and r.starts_at <= now()`;

const STATEMENTS: Statement[] = [
  {
    counts: 'files',
    ctes: `chosen as materialized (
        select a.id from (select * from ${RULE} and r.file_days is not null) r
        join attachments a on a.workspace_id = r.workspace_id and a.created_at < ${dueBefore('r.file_days')}
        where ${IS_DUE_FILE} limit ${BATCH_ROWS}
      ), erased as (delete from attachments where id in (select id from chosen) returning 1)`,
  },
  {
    counts: 'files',
    ctes: `chosen as materialized (
        select f.id from (select * from ${RULE} and r.file_days is not null) r
        join note_files f on f.workspace_id = r.workspace_id and f.created_at < ${dueBefore('r.file_days')}
        limit ${BATCH_ROWS}
      ), erased as (delete from note_files where id in (select id from chosen) returning 1)`,
  },
  {
    counts: 'originals',
    ctes: `chosen as materialized (
        select m.id, m.original_file_id from (select * from ${RULE} and r.file_days is not null) r
        join messages m on m.workspace_id = r.workspace_id and m.original_file_id is not null
          and m.created_at < ${dueBefore('r.file_days')}
        limit ${BATCH_ROWS}
      ), expired as (
        update stored_files set expires_at = now() where id in (select original_file_id from chosen)
      ), erased as (
        update messages set original_file_id = null
        where id in (select id from chosen) and original_file_id is not null returning 1
      )`,
  },
  {
    counts: 'auditEntries',
    ctes: `chosen as materialized (
        select a.id from (select * from ${RULE} and r.audit_days is not null) r
        join audit_entries a on a.workspace_id = r.workspace_id and a.created_at < ${dueBefore('r.audit_days')}
        limit ${BATCH_ROWS}
      ), erased as (delete from audit_entries where id in (select id from chosen) returning 1)`,
  },
];

/** Returns the number of rows that were found. */
async function deleteBatch({ counts, ctes }: Statement, workspaceId: string): Promise<number> {
  const { rows } = await cleanUpPool().query<{ found: number }>(
    `with ${ctes}, counted as (
       update retention_rules set counts = counts ||
         jsonb_build_object('${counts}', coalesce((counts ->> '${counts}')::int, 0) + (select count(*)::int from erased))
       where workspace_id = $1 and exists (select from erased)
     )
     select count(*)::int as found from chosen`,
    [workspaceId],
  );
  return rows[0]?.found ?? 0;
}
