import { v7 as uuidv7 } from 'uuid';
import { textProblem } from '#server/contract/fields.ts';
import type { NoteRecord, Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { type FieldErrors, invalid, Refusal } from '#server/core/errors.ts';
import { timestamp } from '#server/core/timestamp.ts';
import {
  COMMAND_NAME_PROBLEM,
  isCommandName,
  normalizeCommand,
} from '#server/inbox/commands/command-name.ts';
import { COMMAND_RECEIVERS } from '#server/inbox/commands/refuse-command.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import { type LockedConversation, lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { findAssignable } from '#server/teammates/find-teammates.ts';

/** Maximum length of the details after a command, in code points. */
export const ARGUMENTS_MAX_LENGTH = 2_000;

type NewRun = {
  workspaceId: string;
  conversationId: string;
  operatorId: string;
  id?: string | undefined;
  command: string;
  arguments: string;
};

type Run = { id: string; operator: Teammate; command: string; arguments: string; now: Date };

/**
 * Runs a workflow command in a conversation (`docs/spec.md` §1, workflow commands): stores the run, adds an internal
 * note on every plan, and emits `operator.command` under the run's id. The contact sees nothing. The check for a
 * listening hook happens when the run is stored. A hook that is removed before the fan-out gets no event, but the run
 * and its note remain.
 * @param id id of the run, if the page created it
 * @param command as typed: a leading `/` is dropped, uppercase becomes lowercase
 * @param arguments trimmed here; may be empty
 * @throws Refusal for a viewer, an invalid name, details that are too long, a conversation that does not exist, was
 *   merged or is a test, or when no hook listens
 * @returns the id of the run, which is also the id of the event
 */
export async function runCommand(newRun: NewRun): Promise<{ runId: string }> {
  const { workspaceId, id = uuidv7() } = newRun;
  return inTransaction(async (tx) => {
    const operator = await findAssignable(tx, { workspaceId, id: newRun.operatorId });
    if (!operator) throw new Refusal('forbidden', NOT_ALLOWED);
    const typed = parseTyped(newRun);
    const conversation = await lockForChange(tx, { workspaceId, id: newRun.conversationId });
    if (conversation.isTest) throw invalid({ conversation: [NOT_IN_A_TEST] });
    const run = { id, operator, ...typed, now: new Date() };
    const runId = await insertRun(tx, conversation, run);
    const note = await insertNote(tx, conversation, { ...run, runId });
    const change = changeOf({
      events: [
        { key: 'note.added', details: { note } },
        { key: 'operator.command', id: runId, subjectId: runId, details: { ...typed, operator } },
      ],
    });
    await persistChange(tx, conversation, {
      actor: { kind: 'teammate', teammate: operator },
      change,
      now: run.now,
    });
    return { runId };
  });
}

const NOT_ALLOWED =
  'Only owners, admins and agents of this workspace can run commands. Ask an owner or admin for another role.';
const NOT_IN_A_TEST =
  'Commands cannot be run in a test of the AI agent. Run the command in a conversation with a contact.';

function parseTyped(input: { command: string; arguments: string }): { command: string; arguments: string } {
  const typed = { command: normalizeCommand(input.command), arguments: input.arguments.trim() };
  const details = textProblem(typed.arguments, { label: 'details (arguments)', max: ARGUMENTS_MAX_LENGTH });
  const errors: FieldErrors = {
    ...(isCommandName(typed.command) ? {} : { command: [COMMAND_NAME_PROBLEM] }),
    ...(details ? { arguments: [details] } : {}),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return typed;
}

/**
 * Inserts the run if a hook of the workspace for this command, or for every command, can receive it now.
 * @throws Refusal when no hook can
 */
async function insertRun(
  tx: Tx,
  { id: conversationId, workspaceId }: LockedConversation,
  { id, operator, command, arguments: details, now }: Run,
): Promise<string> {
  const [run] = await tx.$queryRaw<{ id: string }[]>`
    insert into command_runs
      (id, workspace_id, conversation_id, operator_id, operator_name, operator_email, command, arguments, created_at)
    select ${id}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid,
      ${operator.id}::uuid, ${operator.name}, ${operator.email}, ${command}, ${details}, ${now}
    where exists (
      select from hooks h ${COMMAND_RECEIVERS}
      where h.workspace_id = ${workspaceId}::uuid and h.event = 'operator.command' and h.removed_at is null
        and (h.filter_key is null or h.filter_key = ${command})
    )
    returning id`;
  if (run) return run.id;
  throw invalid({
    command: [
      `No workflow listens for /${command}, so it was not run. Turn on a workflow that starts with this command, or choose another one.`,
    ],
  });
}

/** Inserts the note of a command. The note has no author, so it needs no plan with notes. */
async function insertNote(
  tx: Tx,
  { id: conversationId, workspaceId }: LockedConversation,
  { runId, operator, command, arguments: details, now }: Run & { runId: string },
): Promise<NoteRecord> {
  const ran = `${operator.name} ran /${command}`;
  const content = details ? `${ran}: ${details}` : ran;
  const { id } = await tx.note.create({
    data: {
      workspaceId,
      conversationId,
      authorKind: 'automatic',
      commandRunId: runId,
      content,
      createdAt: now,
    },
    select: { id: true },
  });
  return {
    id,
    conversation_id: conversationId,
    content,
    created_at: timestamp(now),
    url: conversationUrl(conversationId),
  };
}
