import { addMilliseconds, timestampOf } from '#prisma/seed/ago.ts';
import { applyStep } from '#prisma/seed/apply-step.ts';
import type { DemoConversation, DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { known } from '#prisma/seed/known.ts';
import { newId } from '#prisma/seed/new-id.ts';
import type { Rows } from '#prisma/seed/rows.ts';
import { breachOf, startClock } from '#prisma/seed/sla-clocks.ts';
import { addEntry, isTeammate, type Story } from '#prisma/seed/story.ts';
import type { MadeWorkspace } from '#prisma/seed/workspace-rows.ts';

/** Adds a workspace's conversations by applying the steps of their stories. */
export function addConversationRows(
  rows: Rows,
  workspace: DemoWorkspace,
  given: { made: MadeWorkspace; now: Date },
): void {
  const { made, now } = given;
  const timestamps = new Map(
    workspace.conversations.map((data, index) => [data, stepTimestamps(data, index, now)]),
  );
  const conversationIds = new Map(
    workspace.conversations.map((data) => [data, newId(known(timestamps, data)[0] ?? now)]),
  );
  for (const data of workspace.conversations) {
    const times = known(timestamps, data);
    const id = known(conversationIds, data);
    const story = beginStory({ rows, workspace, data, made, conversationIds, id, at: times[0] ?? now });
    for (const [index, step] of data.steps.entries()) applyStep(story, step, times[index] ?? now);
    endStory(story, now);
  }
}

/** Returns the timestamps of the steps, shifted a little so that not all are in the same minute, in order. */
function stepTimestamps(data: DemoConversation, index: number, now: Date): Date[] {
  const share = ((index * 5) % SHARES) / SHARES;
  const timestamps = data.steps.map((step, number) => {
    const timestamp = timestampOf(now, step.at);
    const shift = (now.getTime() - timestamp.getTime()) * share * SHIFT_MAX;
    return addMilliseconds(timestamp, Math.round(shift) + number * STEP_SHIFT_MS);
  });
  const late = data.steps.find(
    (_, number) => (timestamps[number] ?? now) < (timestamps[number - 1] ?? new Date(0)),
  );
  if (late)
    throw new Error(`A step of the demo data is earlier than the one above it: ${late.at} ${late.kind}.`);
  return timestamps;
}

type ConversationDraft = Pick<Story, 'rows' | 'workspace' | 'data' | 'made' | 'conversationIds' | 'id'>;

function beginStory({ at, ...given }: ConversationDraft & { at: Date }): Story {
  const story: Story = {
    ...given,
    startedAt: at,
    status: 'open',
    statusChangedAt: at,
    assignee: null,
    assignedAt: null,
    resolvedAt: null,
    lastMessageAt: at,
    waitingSince: null,
    updatedAt: at,
    aiAgentSilenced: false,
    mergedIntoId: null,
    tagKeys: new Set(),
    clocks: [],
  };
  const [first] = given.data.steps;
  const startedByTeam = first.kind === 'replies' && isTeammate(first.by);
  // Before the first message, which has the same timestamp.
  addEntry(story, addMilliseconds(at, -1), startedByTeam ? first.by : 'contact', {
    kind: 'created',
    data: {},
  });
  const { sla } = given.workspace;
  if (sla && !startedByTeam && !given.data.isTest) {
    startClock(story.clocks, 'first_response', at, sla.firstResponse);
    startClock(story.clocks, 'resolution', at, sla.resolution);
  }
  return story;
}

function endStory(story: Story, now: Date): void {
  const { rows, data, made, workspace } = story;
  const mailbox = data.mailbox ?? workspace.mailboxes[0];
  rows.conversations.push({
    id: story.id,
    workspaceId: made.id,
    subject: data.subject ?? null,
    status: story.status,
    priority: data.priority ?? 'normal',
    channel: data.channel,
    contactId: known(made.contacts, data.contact),
    // A visitor typed the address.
    contactClaimed: data.channel === 'webchat' && !data.isTest && data.contact.email !== undefined,
    assigneeId: story.assignee?.id ?? null,
    teamId: data.team ? known(made.teams, data.team) : null,
    channelAccountId: data.isTest ? null : made.channels.accountId(data.channel),
    externalThreadId: data.isTest ? null : made.channels.threadId(data.channel, data.contact),
    mailboxId: data.channel === 'email' ? known(made.mailboxes, mailbox) : null,
    mergedIntoId: story.mergedIntoId,
    aiAgentSilenced: story.aiAgentSilenced,
    isTest: data.isTest ?? false,
    statusChangedAt: story.statusChangedAt,
    assignedAt: story.assignedAt,
    resolvedAt: story.resolvedAt,
    lastMessageAt: story.lastMessageAt,
    waitingSince: story.waitingSince,
    createdAt: story.startedAt,
    updatedAt: story.updatedAt,
  });
  for (const clock of story.clocks) {
    rows.slaClocks.push({
      id: newId(clock.startedAt),
      workspaceId: made.id,
      conversationId: story.id,
      ...clock,
      breachedAt: breachOf(clock, now),
    });
  }
}

/** Maximum shift, as a share of the conversation's age. */
const SHIFT_MAX = 0.03;
const SHARES = 17;
/** Keeps the order of steps in the same minute, in ms. */
const STEP_SHIFT_MS = 4_307;
