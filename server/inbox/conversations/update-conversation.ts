import type { ConversationRecord, Teammate } from '#server/contract/record-schemas.ts';
import { type Planned, planAndWrite, writePlanned } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { type FieldErrors, invalid } from '#server/core/errors.ts';
import type { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import {
  assign,
  type Change,
  changeOf,
  joinChanges,
  laterTimeProblem,
  setPriority,
  setStatus,
  setTeam,
  snooze,
  statusProblem,
} from '#server/inbox/conversations/changes.ts';
import { type LockedConversation, lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { planChange } from '#server/inbox/conversations/persist-change.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { findAssignable, findTeam } from '#server/teammates/find-teammates.ts';

/** Requested changes: undefined changes nothing, null removes the assignee or team. */
export type ConversationChanges = {
  status?: ConversationStatus | undefined;
  priority?: Priority | undefined;
  assigneeId?: string | null | undefined;
  teamId?: string | null | undefined;
  /** Makes the conversation pending until then; null cancels the snooze. Not together with another status than pending. */
  snoozedUntil?: Date | null | undefined;
};

/**
 * Decides a change of status, priority, assignee and team of a conversation, all or nothing (docs/spec.md §4.2, PATCH
 * /conversations/{id}; docs/rulings.md 3.5).
 * @throws Refusal when the conversation does not exist, is spam or deleted, or was merged, or when a value is not possible
 */
export async function planUpdate(tx: SqlDb, update: Update): Promise<Planned<ConversationRecord>> {
  return (await planWithUndo(tx, update)).planned;
}

/** Changes a conversation as `planUpdate` decides. */
export function updateConversation(update: Update): Promise<ConversationRecord> {
  return planAndWrite((tx) => planUpdate(tx, update));
}

/** As `updateConversation`, and returns the values before for `undoInBulk`. */
export function updateWithUndo(update: Update): Promise<ValuesBefore> {
  return sqlTransaction(async (tx) => {
    const { before, planned } = await planWithUndo(tx, update);
    await writePlanned(tx, planned);
    return valuesBefore(before);
  });
}

type Update = { workspaceId: string; id: string; actor: Actor; changes: ConversationChanges };

/** The values of a conversation that a change can replace. `addedTags`: the tags that the change added. */
export type ValuesBefore = {
  id: string;
  status: ConversationStatus;
  snoozedUntil: Date | null;
  priority: Priority;
  assigneeId: string | null;
  teamId: string | null;
  addedTags: string[];
};

/** Returns the current values, before a change that adds no tags. */
export function valuesBefore({ id, snoozedUntil, record }: LockedConversation): ValuesBefore {
  const { status, priority, assignee, team } = record;
  return {
    id,
    status,
    snoozedUntil,
    priority,
    assigneeId: assignee?.id ?? null,
    teamId: team?.id ?? null,
    addedTags: [],
  };
}

async function planWithUndo(
  tx: SqlDb,
  { workspaceId, id, actor, changes }: Update,
): Promise<{ before: LockedConversation; planned: Planned<ConversationRecord> }> {
  const choices = await findChoices(tx, { workspaceId, changes });
  const before = await lockForChange(tx, { workspaceId, id, actor });
  const now = new Date();
  const change = changeFields(before, { changes, ...choices, actor, now });
  return { before, planned: planChange(before, { actor, change, now }) };
}

/**
 * Returns the change of `planUpdate`.
 * @throws Refusal that names every field that cannot be changed as requested
 */
export function changeFields(
  conversation: LockedConversation,
  chosen: Choices & { changes: ConversationChanges; actor: Actor; now: Date },
): Change {
  const { changes, assignee, team, actor, now } = chosen;
  const { record } = conversation;
  const { status = record.status, snoozedUntil } = changes;
  const errors = problemsOf(record.status, chosen);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return joinChanges([
    // Another status ends a snooze.
    snoozedUntil || (snoozedUntil === null && status === record.status)
      ? snooze(conversation, { until: snoozedUntil, now })
      : setStatus(record, { status, now }),
    setPriority(record, changes.priority ?? record.priority),
    assignee === undefined ? changeOf() : assign(record, { assignee, actor, now }),
    team === undefined ? changeOf() : setTeam(record, team),
  ]);
}

function problemsOf(
  from: ConversationStatus,
  { changes, assignee, team }: Choices & { changes: ConversationChanges },
): FieldErrors {
  const { status = from, snoozedUntil } = changes;
  const problem = statusProblem(from, status);
  const snoozeProblem =
    snoozedUntil === undefined ? undefined : findSnoozeProblem(from, { status, until: snoozedUntil });
  return {
    ...(problem ? { status: [problem] } : {}),
    ...(snoozeProblem ? { snoozed_until: [snoozeProblem] } : {}),
    ...(assignee === undefined && changes.assigneeId ? { assignee_id: [NO_SUCH_ASSIGNEE] } : {}),
    ...(team === undefined && changes.teamId ? { team_id: [NO_SUCH_TEAM] } : {}),
  };
}

/** Returns why a conversation cannot be snoozed together with a status, as a sentence. */
function findSnoozeProblem(
  from: ConversationStatus,
  { status, until }: { status: ConversationStatus; until: Date | null },
): string | undefined {
  if (status !== from && status !== 'pending')
    return `A snoozed conversation is pending. Send either snoozed_until or the status ${status}.`;
  if (until === null) return undefined;
  return statusProblem(from, 'pending') ?? laterTimeProblem(until, new Date());
}

/** Returns what `planUpdate` would refuse, by field, and changes nothing. */
export async function findUpdateProblems(change: {
  workspaceId: string;
  id: string;
  changes: ConversationChanges;
}): Promise<FieldErrors> {
  const { workspaceId, id, changes } = change;
  const found = await db().conversation.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    select: { status: true },
  });
  if (!found) return {};
  return problemsOf(found.status, { changes, ...(await findChoices(db(), { workspaceId, changes })) });
}

const NO_SUCH_ASSIGNEE =
  'The assignee (assignee_id) must be a teammate of this workspace who can take conversations, or none.';
const NO_SUCH_TEAM = 'The team (team_id) must be a team of this workspace, or none.';

/** The requested assignee and team: undefined if not requested or not found, null to remove. */
type Choices = {
  assignee: Teammate | null | undefined;
  team: { id: string; name: string } | null | undefined;
};

/** Finds and locks the requested assignee and team. Called before the conversation is locked, to keep the lock order. */
export async function findChoices(
  tx: SqlDb,
  { workspaceId, changes }: { workspaceId: string; changes: ConversationChanges },
): Promise<Choices> {
  const { assigneeId, teamId } = changes;
  return {
    assignee: assigneeId ? await findAssignable(tx, { workspaceId, id: assigneeId }) : asNull(assigneeId),
    team: teamId ? await findTeam(tx, { workspaceId, id: teamId }) : asNull(teamId),
  };
}

function asNull(id: string | null | undefined): null | undefined {
  return id === null ? null : undefined;
}
