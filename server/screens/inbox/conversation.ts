import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { parseInput } from '#server/contract/fields.ts';
import { newConversationInput } from '#server/contract/new-conversation-input.ts';
import { tagList } from '#server/contract/tag-list.ts';
import { addressInput, keyInput, lineInput, tagsInput, textInput } from '#server/contract/text-input.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { type Db, db, inTransaction } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { notFound } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { ConversationStatus, type Plan, Priority } from '#server/generated/prisma/enums.ts';
import { findMailbox } from '#server/inbox/channels/email/mailboxes.ts';
import { refuseNewTags } from '#server/inbox/conversations/known-tags.ts';
import { findTints, listTags } from '#server/inbox/conversations/list-tags.ts';
import { findMergeProblems, mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { readableIn } from '#server/inbox/conversations/readable-conversations.ts';
import { setMailbox } from '#server/inbox/conversations/set-mailbox.ts';
import { snoozeConversation } from '#server/inbox/conversations/snooze-conversation.ts';
import { addTags, removeTags } from '#server/inbox/conversations/tags.ts';
import { undoMerge } from '#server/inbox/conversations/undo-merge.ts';
import { updateWithUndo } from '#server/inbox/conversations/update-conversation.ts';
import { FILE_LIMITS } from '#server/inbox/files/content-types.ts';
import { createConversation } from '#server/inbox/messages/create-conversation.ts';
import { chooseReplyTo } from '#server/inbox/messages/reply-to.ts';
import { attemptId, enclosuresShape } from '#server/screens/inbox/composer.ts';
import type { NewConversationView } from '#server/screens/inbox/composer-views.ts';
import { getContactHistory } from '#server/screens/inbox/contact-history.ts';
import { explainMessage } from '#server/screens/inbox/explain-message.ts';
import { findReaders } from '#server/screens/inbox/find-readers.ts';
import { getComposer } from '#server/screens/inbox/get-composer.ts';
import { getConversation, readEarlier } from '#server/screens/inbox/get-conversation.ts';
import { insertOnce } from '#server/screens/inbox/insert-once.ts';
import { listMergeChoices } from '#server/screens/inbox/list-choices.ts';
import { listMailboxes } from '#server/screens/inbox/list-mailboxes.ts';
import { nameConversations } from '#server/screens/inbox/name-conversations.ts';
import type { ActionsView, MergeSide, OpenedView, ReadersView } from '#server/screens/inbox/views.ts';
import { agentProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { listAssignees, listTeams } from '#server/teammates/find-teammates.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';
import { isAdmin, VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';
import type { MemberWorkspace, SignedIn } from '#server/teammates/signed-in.ts';

const which = z.object({ id: keyInput });

/** Undefined leaves a value unchanged; null unassigns the teammate or the team. */
const changes = z.object({
  status: z.enum(ConversationStatus).optional(),
  priority: z.enum(Priority).optional(),
  assigneeId: keyInput.nullable().optional(),
  teamId: keyInput.nullable().optional(),
});

/** A new conversation as typed. Errors are reported per field. */
const newConversation = z.object({
  id: attemptId,
  to_email: addressInput,
  to_name: lineInput,
  subject: lineInput,
  content: textInput(8_000, 'message'),
  mailboxId: z.uuid().optional(),
  ...enclosuresShape,
});

export const conversationsScreens = screenRouter({
  /** Returns a conversation with everything its page needs; null when the workspace has none with this id. */
  get: screenProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which)
    .query(async ({ ctx, input: { id } }): Promise<OpenedView | null> => {
      const { workspace, user, reads } = ctx;
      const which = { workspaceId: workspace.id, id };
      const [conversation, actions, composer, silenced] = await Promise.all([
        getConversation(reads, {
          ...which,
          userId: user.id,
          role: workspace.role,
          visibility: workspace.visibility,
        }),
        getActions(reads, { workspace, user, afterSolving: ctx.signedIn.afterSolving }),
        getComposer(reads, { workspace, user, conversationId: id }),
        isUuid(id) ? isSilenced(reads, which) : null,
      ]);
      if (!conversation || !composer) return null;
      const agent = silenced === null ? null : { silenced, mayChange: workspace.role !== 'viewer' };
      return { conversation, actions, composer, agent };
    }),
  /** Returns what else happened with the contact of a conversation. */
  contactHistory: screenProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which)
    .query(({ ctx: { workspace, reads }, input }) => {
      const { id: workspaceId, role, visibility } = workspace;
      return getContactHistory(reads, { workspaceId, role, visibility, ...input });
    }),
  /** Returns who can read a conversation, and why. */
  readers: screenProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which)
    .query(async ({ ctx: { workspace }, input: { id } }): Promise<ReadersView> => {
      const found = isUuid(id) ? await findReaders({ workspace, id }) : null;
      if (!found) throw notFound('The conversation');
      return found;
    }),
  /** Returns what happened with a message and because of it. */
  explain: screenProcedure
    .meta({ names: { messageId: 'message' } })
    .input(z.object({ messageId: keyInput }))
    .query(({ ctx: { workspace, reads }, input: { messageId } }) =>
      isUuid(messageId)
        ? explainMessage(reads, { workspaceId: workspace.id, messageId, role: workspace.role })
        : [],
    ),
  /** Returns the values for a new conversation, or for sharing to one; null for viewers. */
  newConversation: screenProcedure.query(({ ctx: { workspace } }): NewConversationView | null =>
    workspace.role === 'viewer' ? null : { workspaceId: workspace.id, ...FILE_LIMITS },
  ),
  /** Returns the mailboxes that a new conversation can be sent from, and the one last used with this address. */
  mailboxes: agentProcedure
    .input(z.object({ email: addressInput }))
    .query(({ ctx: { workspace }, input }) => listMailboxes(db(), { workspace, ...input })),
  setMailbox: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which.extend({ mailboxId: z.uuid() }))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      setMailbox({ workspaceId: workspace.id, actor, ...input }),
    ),
  chooseReplyTo: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which.extend({ isUsed: z.boolean() }))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      chooseReplyTo({ workspaceId: workspace.id, actor, ...input }),
    ),
  /** Returns the full text of an email whose quotes are omitted in the thread. */
  fullContent: screenProcedure
    .meta({ names: { messageId: 'message' } })
    .input(z.object({ messageId: keyInput }))
    .query(({ ctx, input }) => getFullContent(db(), { workspace: ctx.workspace, ...input })),

  earlier: screenProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which.extend({ before: keyInput }))
    .query(async ({ ctx: { workspace }, input }) => {
      const { id: workspaceId, role, visibility } = workspace;
      const page = await readEarlier(db(), { workspaceId, role, visibility, ...input });
      if (!page) throw notFound('The conversation');
      return page;
    }),
  tags: screenProcedure.query(({ ctx: { workspace } }) => listTags(db(), workspace.id)),
  /** Returns the colours of tags by their keys. */
  tagTints: screenProcedure.query(({ ctx: { workspace } }) => findTints(db(), workspace.id)),
  mergeChoices: screenProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which)
    .query(({ ctx: { workspace }, input }) => listMergeChoices(db(), { workspace, ...input })),
  mergeProblems: screenProcedure
    .meta({ names: { id: 'conversation', 'intoIds.*': 'conversation' } })
    .input(which.extend({ intoIds: z.array(keyInput).max(100) }))
    .query(({ ctx: { workspace }, input }) =>
      findMergeProblems(db(), { workspaceId: workspace.id, ...input }),
    ),
  /** Returns the contacts, channels and addresses of conversations that may be merged. */
  mergeSides: screenProcedure
    .meta({ names: { 'ids.*': 'conversation' } })
    .input(z.object({ ids: z.array(z.uuid()).max(100) }))
    .query(async ({ ctx: { workspace }, input }): Promise<MergeSide[]> => {
      const named = await nameConversations(db(), { workspaceId: workspace.id, ...input });
      return [...named.values()];
    }),
  mailProblem: agentProcedure.query(({ ctx: { workspace } }) => mailProblem(db(), workspace)),

  /** Returns the values before, for `bulk.undo`. A page may show older values than those that were replaced. */
  update: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which.extend({ changes }))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      updateWithUndo({ workspaceId: workspace.id, ...input, actor }),
    ),
  /** Snoozes a conversation, or cancels its snooze (null). Returns the values before, for `bulk.undo`. */
  snooze: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which.extend({ until: z.date().nullable() }))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      snoozeConversation({ workspaceId: workspace.id, ...input, actor }),
    ),
  addTags: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which.extend({ tags: tagsInput }))
    .mutation(async ({ ctx: { workspace, actor }, input: { id, tags } }) => {
      const named = parseInput(z.object({ tags: tagList }), { tags });
      await refuseNewTags(sql(), { workspaceId: workspace.id, role: workspace.role, ...named });
      await planAndWrite((tx) => addTags(tx, { workspaceId: workspace.id, id, actor, ...named }));
    }),
  removeTags: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which.extend({ tags: tagsInput }))
    .mutation(async ({ ctx: { workspace, actor }, input }) => {
      await planAndWrite((tx) => removeTags(tx, { workspaceId: workspace.id, ...input, actor }));
    }),
  merge: agentProcedure
    .meta({ names: { id: 'conversation', intoId: 'conversation' } })
    .input(which.extend({ intoId: keyInput }))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      inTransaction((tx) => mergeConversations(tx, { workspaceId: workspace.id, ...input, actor })),
    ),
  undoMerge: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which)
    .mutation(({ ctx: { workspace, actor }, input }) =>
      undoMerge({ workspaceId: workspace.id, ...input, actor }),
    ),
  create: agentProcedure
    .input(newConversation)
    .mutation(async ({ ctx: { workspace, user, actor }, input }): Promise<{ id: string }> => {
      const { id, cc, bcc, files, mailboxId, ...written } = input;
      const { to_email: toEmail, to_name: toName, ...rest } = parseInput(newConversationInput, written);
      const which = { workspaceId: workspace.id, id };
      const draft = { ...which, actor, toEmail, toName, ...rest, mailboxId, cc, bcc, files };
      await insertOnce('conversations', { ...which, userId: user.id }, () =>
        planAndWrite((tx) => createConversation(tx, draft)),
      );
      return { id };
    }),
});

/** Returns the teammates and teams to choose from, or why this teammate cannot change anything. */
async function getActions(
  reads: ReadDb,
  { workspace, user, afterSolving }: Pick<SignedIn, 'user' | 'afterSolving'> & { workspace: MemberWorkspace },
): Promise<ActionsView> {
  const me = { id: user.id, name: user.name };
  if (workspace.role === 'viewer') {
    return { problem: VIEWERS_READ_ONLY, mayDelete: false, me, afterSolving, teammates: [], teams: [] };
  }
  const [teammates, teams] = await Promise.all([
    listAssignees(reads, workspace.id),
    listTeams(reads, workspace.id),
  ]);
  return {
    problem: null,
    mayDelete: isAdmin(workspace.role),
    me,
    afterSolving,
    teammates,
    teams,
  };
}

/**
 * Returns whether the AI agent has left a conversation to the team; null when the agent is off or the
 * conversation does not exist.
 */
function isSilenced(
  db: ReadDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean | null> {
  const statement = Prisma.sql`
    select c.ai_agent_silenced as silenced from conversations c join workspaces w on w.id = c.workspace_id
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid and c.merged_into_id is null
      and not c.is_test and c.removal is null and w.ai_agent_enabled`;
  return runRead(db, statement, ([found]: { silenced: boolean }[]) => found?.silenced ?? null);
}

/**
 * Returns the full text of an email whose quotes are omitted in the thread.
 * @throws Refusal when the teammate sees no such message
 */
async function getFullContent(
  db: Db,
  { workspace, messageId }: { workspace: MemberWorkspace; messageId: string },
): Promise<string> {
  const message = isUuid(messageId)
    ? await db.message.findUnique({
        where: {
          workspaceId_id: { workspaceId: workspace.id, id: messageId },
          conversation: readableIn([workspace]),
        },
        select: { content: true, fullContent: true },
      })
    : null;
  if (!message) throw notFound('The message');
  return message.fullContent ?? message.content;
}

/**
 * Returns the reason why a new email conversation would be saved but not sent, or null (docs/spec.md §1).
 */
async function mailProblem(db: Db, { id, plan }: { id: string; plan: Plan }): Promise<string | null> {
  if (!PLANS[plan].emailSending) {
    return `It will be saved, but not sent: sending email needs the ${lowestPlanWith('emailSending')} plan or higher.`;
  }
  const mailbox = await findMailbox(db, { workspaceId: id, mailboxId: null });
  if (!mailbox)
    return 'It will be saved, but not sent: this workspace has no address to send email from yet.';
  if (!mailbox.canSend) {
    return 'It will be saved, but not sent: the domain of this workspace’s email address is not verified yet.';
  }
  return null;
}
