import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { isConflict } from '#server/core/database/errors.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import {
  assign,
  type Change,
  changeOf,
  isNothing,
  joinChanges,
  setPriority,
  setStatus,
  setTeam,
  statusProblem,
} from '#server/inbox/conversations/changes.ts';
import type { FlowCause } from '#server/inbox/conversations/flow-cause.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { causesOf } from '#server/inbox/conversations/plan-flows.ts';
import { tag } from '#server/inbox/conversations/tags.ts';
import { countRun } from '#server/inbox/flows/count-run.ts';
import type { FlowActions } from '#server/inbox/flows/flow.ts';
import type { FindTargets } from '#server/inbox/flows/flow-targets.ts';
import type { LoadedFlow } from '#server/inbox/flows/load-flows.ts';
import {
  type ConversationText,
  matchesCondition,
  matchesState,
} from '#server/inbox/flows/matches-condition.ts';
import { matchesTrigger } from '#server/inbox/flows/matches-trigger.ts';
import { absentAssigneeRows } from '#server/teammates/absent-assignee.ts';

type Run = {
  /** The enabled flows of the workspace, in the order in which they run. */
  flows: LoadedFlow[];
  causes: FlowCause[];
  /** Reads the text for the conditions. Called once, when a flow depends on it. */
  readText: () => Promise<string>;
  findTargets: FindTargets;
  /** A teammate or the contact made the change that starts the flows. */
  byPerson?: boolean;
  /** Returns whether the status is newer than the cause, so that flows that it starts leave the status as it is. */
  keepsStatus?: (cause: FlowCause) => boolean;
  now: Date;
};

/**
 * Runs the flows that causes start on a locked conversation, in their order, then those that their changes start, and so on. Each
 * flow sees the result of the previous one and runs at most once per call, so a loop ends: a flow that would start again says so
 * in the timeline. A failing flow is skipped and logged.
 */
export async function runFlows(tx: SqlDb, start: LockedConversation, run: Run): Promise<void> {
  const { flows, byPerson = false, now } = run;
  const matchesText = textMatcher(start, run);
  const ran = new Set<string>();
  const stopped = new Set<string>();
  let conversation = start;
  for (let causes = run.causes, next: FlowCause[] = []; causes.length > 0; causes = next, next = []) {
    for (const flow of flows) {
      const cause = causes.find((each) => matchesTrigger(flow, each));
      if (!cause || stopped.has(flow.id)) continue;
      if (!matchesState(flow.condition, conversation.record) || !(await matchesText(flow))) continue;
      const keepsStatus = run.causes.includes(cause) && (run.keepsStatus?.(cause) ?? false);
      const targets = await run.findTargets(flow.actions);
      const change = decide(conversation, flow, { ...targets, keepsStatus, now });
      if (isNothing(change)) continue;
      if (ran.has(flow.id)) {
        stopped.add(flow.id);
        await persistStop(tx, conversation, { flow, because: 'loop', now });
        continue;
      }
      ran.add(flow.id);
      const after = await runSafely(tx, conversation, { flow, change, cause, byPerson, now });
      if (!after) continue;
      conversation = after;
      next.push(...causesOf(change));
    }
  }
  await notifyInPlace(tx, conversation, { ...run, before: start.record.assignee });
}

/**
 * Notifies others in place of a new assignee who is away, if a message started the flows: nobody was notified of the message, and the
 * conversation stays with the assignee whom a flow chose.
 */
async function notifyInPlace(
  tx: SqlDb,
  { id: conversationId, workspaceId, record: { assignee, team, status } }: LockedConversation,
  { before, causes, now }: { before: Teammate | null } & Pick<Run, 'causes' | 'now'>,
): Promise<void> {
  const isWritten = causes.some(({ kind }) => kind === 'conversation_started' || kind === 'message_received');
  if (!isWritten || !assignee || assignee.id === before?.id || status !== 'open') return;
  const absent = { workspaceId, conversationId, assigneeId: assignee.id, teamId: team?.id ?? null, now };
  const notified = await tx.$executeRaw(absentAssigneeRows(absent));
  if (notified > 0) afterCommit(tx, () => publish(workspaceId, 'notifications'));
}

/** Returns a function that tells whether a flow matches what stays the same during a run, and remembers it. */
function textMatcher({ record }: LockedConversation, { readText }: Run) {
  const { channel, contact } = record;
  const results = new Map<string, boolean>();
  let text: string | undefined;
  return async ({ id, condition }: LoadedFlow): Promise<boolean> => {
    const known = results.get(id);
    if (known !== undefined) return known;
    if (condition.words.length > 0) text ??= await readText();
    const seen: ConversationText = { channel, text: text ?? '', email: contact?.email ?? null };
    const result = matchesCondition(condition, seen);
    results.set(id, result);
    return result;
  };
}

/** Returns the change of a flow. It is empty if the conversation has all values, and leaves out what is not possible. */
function decide(
  conversation: LockedConversation,
  { name, actions }: LoadedFlow,
  {
    assignee,
    team,
    keepsStatus,
    now,
  }: Awaited<ReturnType<FindTargets>> & { keepsStatus: boolean; now: Date },
): Change {
  const { record } = conversation;
  const { tags, status, priority }: FlowActions = actions;
  const actor = { kind: 'flow' as const, name };
  return joinChanges([
    tags.length > 0 ? tag(conversation, { tags, actor, now }) : changeOf(),
    team ? setTeam(record, team) : changeOf(),
    assignee ? assign(record, { assignee, actor, now }) : changeOf(),
    priority ? setPriority(record, priority) : changeOf(),
    status && !keepsStatus && !statusProblem(record.status, status)
      ? setStatus(record, { status, now })
      : changeOf(),
  ]);
}

type Decided = { flow: LoadedFlow; change: Change; cause: FlowCause; byPerson: boolean; now: Date };

/** Runs a flow completely or not at all. Returns the changed conversation; undefined if the flow did not run. */
async function runSafely(
  tx: SqlDb,
  conversation: LockedConversation,
  decided: Decided,
): Promise<LockedConversation | undefined> {
  await tx.$executeRaw`savepoint flow`;
  try {
    const after = await persistRun(tx, conversation, decided);
    await tx.$executeRaw`release savepoint flow`;
    return after;
  } catch (error) {
    // A conflict aborts the transaction, which is retried as a whole.
    if (isConflict(error)) throw error;
    await tx.$executeRaw`rollback to savepoint flow`;
    log().warn({ err: error, flowId: decided.flow.id, conversationId: conversation.id }, 'flow.failed');
    return undefined;
  }
}

async function persistRun(
  tx: SqlDb,
  conversation: LockedConversation,
  { flow, change, cause, byPerson, now }: Decided,
): Promise<LockedConversation | undefined> {
  const { id: conversationId, workspaceId } = conversation;
  const counted = await countRun(tx, { workspaceId, conversationId, flowId: flow.id, byPerson, now });
  if (counted === 'stopped') return undefined;
  if (counted === 'stopped_now') {
    await persistStop(tx, conversation, { flow, because: 'too_often', now });
    return undefined;
  }
  const actor = { kind: 'flow' as const, name: flow.name };
  const record = await persistChange(tx, conversation, { actor, change, now, flowCause: cause });
  return { ...conversation, record };
}

async function persistStop(
  tx: SqlDb,
  conversation: LockedConversation,
  { flow, because, now }: { flow: LoadedFlow; because: 'loop' | 'too_often'; now: Date },
): Promise<void> {
  const change = changeOf({ entries: [{ kind: 'flow_stopped', data: { because } }] });
  await persistChange(tx, conversation, { actor: { kind: 'flow', name: flow.name }, change, now });
}
