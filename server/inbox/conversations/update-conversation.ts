import type { ConversationRecord, Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/db.ts';
import { type FieldErrors, invalid } from '#server/core/errors.ts';
import type { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import { changeConversation, writeChange } from '#server/inbox/conversations/apply-change.ts';
import {
  assign,
  type Change,
  changeOf,
  joinChanges,
  setPriority,
  setStatus,
  setTeam,
  statusProblem,
} from '#server/inbox/conversations/changes.ts';
import {
  getConversationRecord,
  type KnownConversation,
} from '#server/inbox/conversations/conversation-record.ts';
import { lockConversation, refuseMerged } from '#server/inbox/conversations/lock-conversation.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { findAssignable, findTeam } from '#server/teammates/find-teammates.ts';

/** What is to change: undefined stays; an assignee or team of null is taken away. */
export type ConversationChanges = {
  status?: ConversationStatus | undefined;
  priority?: Priority | undefined;
  assigneeId?: string | null | undefined;
  teamId?: string | null | undefined;
};

/**
 * Changes status, priority, assignee and team of a conversation, all or nothing: every field is checked before any
 * is changed (spec.md §4.2, PATCH /conversations/{id}; decisions: conversations and contacts, 5).
 * @throws Refusal when there is no such conversation, it was merged, or a field asks for what is not possible
 */
export async function updateConversation(given: {
  workspaceId: string;
  id: string;
  actor: Actor;
  changes: ConversationChanges;
}): Promise<ConversationRecord> {
  const { workspaceId, id, actor, changes } = given;
  // Those who are to have it are held before it is.
  if (changes.assigneeId || changes.teamId) {
    return inTransaction(async (tx) => {
      const choices = await findChoices(tx, { workspaceId, changes });
      const conversation = refuseMerged(await lockConversation(tx, { workspaceId, id, actor }));
      const now = new Date();
      const change = decide(conversation, { changes, ...choices, actor, now });
      const record = change && (await writeChange(tx, conversation, { actor, change, now }));
      return record ?? getConversationRecord(tx, { workspaceId, conversationId: id });
    });
  }
  const choices = { assignee: asNull(changes.assigneeId), team: asNull(changes.teamId) };
  return changeConversation(given, (conversation, now) =>
    decide(conversation, { changes, ...choices, actor, now }),
  );
}

/** What becomes of the conversation; undefined when it has it all already. */
function decide(
  conversation: Pick<KnownConversation, 'status' | 'priority' | 'assignee' | 'team'>,
  {
    changes,
    assignee,
    team,
    actor,
    now,
  }: Choices & { changes: ConversationChanges; actor: Actor; now: Date },
): Change | undefined {
  const status = changes.status ?? conversation.status;
  const problem = statusProblem(conversation.status, status);
  const errors: FieldErrors = {
    ...(problem ? { status: [problem] } : {}),
    ...(assignee === undefined && changes.assigneeId ? { assignee_id: [NO_SUCH_ASSIGNEE] } : {}),
    ...(team === undefined && changes.teamId ? { team_id: [NO_SUCH_TEAM] } : {}),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const change = joinChanges([
    setStatus(conversation, { status, now }),
    setPriority(conversation, changes.priority ?? conversation.priority),
    assignee === undefined ? changeOf() : assign(conversation, { assignee, actor, now }),
    team === undefined ? changeOf() : setTeam(conversation, team),
  ]);
  return Object.keys(change.columns).length > 0 ? change : undefined;
}

const NO_SUCH_ASSIGNEE =
  'The assignee (assignee_id) must be a teammate of this workspace who can take conversations, or none.';
const NO_SUCH_TEAM = 'The team (team_id) must be a team of this workspace, or none.';

/** The teammate and the team asked for: undefined when not asked for or not there, null to take away. */
type Choices = {
  assignee: Teammate | null | undefined;
  team: { id: string; name: string } | null | undefined;
};

async function findChoices(
  tx: Tx,
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
