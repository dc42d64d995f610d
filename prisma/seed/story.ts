import { addMilliseconds } from '#prisma/seed/ago.ts';
import type { DemoConversation, DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { known } from '#prisma/seed/known.ts';
import { newId } from '#prisma/seed/new-id.ts';
import type { Person } from '#prisma/seed/people.ts';
import type { Rows } from '#prisma/seed/rows.ts';
import { pauseClock, resumeClock, type SlaClock, stopClock } from '#prisma/seed/sla-clocks.ts';
import type { Doer } from '#prisma/seed/steps.ts';
import type { MadeWorkspace } from '#prisma/seed/workspace-rows.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { ActorKind, ConversationStatus } from '#server/generated/prisma/enums.ts';
import { actorColumns } from '#server/teammates/actor.ts';

/** State of a conversation while its steps are applied. */
export type Story = {
  rows: Rows;
  data: DemoConversation;
  workspace: DemoWorkspace;
  made: MadeWorkspace;
  conversationIds: ReadonlyMap<DemoConversation, string>;
  id: string;
  startedAt: Date;
  status: ConversationStatus;
  statusChangedAt: Date;
  assignee: Teammate | null;
  assignedAt: Date | null;
  resolvedAt: Date | null;
  lastMessageAt: Date;
  waitingSince: Date | null;
  updatedAt: Date;
  aiAgentSilenced: boolean;
  mergedIntoId: string | null;
  tagKeys: Set<string>;
  clocks: SlaClock[];
};

type Entry =
  | { kind: 'created'; data: Record<string, never> }
  | { kind: 'assigned'; data: { assigneeId: string; assigneeName: string } }
  | { kind: 'status_changed'; data: { from: ConversationStatus; to: ConversationStatus } }
  | { kind: 'tagged'; data: { tags: string[] } }
  | { kind: 'rated'; data: { score: number; comment: string | null } }
  | { kind: 'merged'; data: { intoId: string } };

export function doerColumns(story: Story, doer: Doer | 'contact') {
  if (doer === 'flow') return actorColumns({ kind: doer, name: flowOf(story) });
  if (doer === 'contact' || doer === 'ai_agent' || doer === 'automatic') return actorColumns({ kind: doer });
  return actorColumns({ kind: 'teammate', teammate: teammateOf(story, doer) });
}

/** Returns the name of the automation that matches the conversation's first message. */
function flowOf({ workspace, data }: Story): string {
  const [first] = data.steps;
  const text = `${data.subject ?? ''} ${'text' in first ? first.text : ''}`.toLowerCase();
  const flow = workspace.flows?.find(({ words }) => words.some((word) => text.includes(word)));
  if (!flow) throw new Error(`No automation matches “${data.subject}”.`);
  return flow.name;
}

export function teammateOf(story: Story, person: Person): Teammate {
  return known(story.made.teammates, person);
}

export function isTeammate(doer: Doer): doer is Person {
  return !NOBODY.has(doer);
}

const NOBODY: ReadonlySet<string> = new Set<ActorKind>(['ai_agent', 'flow', 'automatic']);

export function addEntry(story: Story, at: Date, doer: Doer | 'contact', entry: Entry): void {
  story.rows.timeline.push({
    id: newId(at),
    workspaceId: story.made.id,
    conversationId: story.id,
    ...doerColumns(story, doer),
    ...entry,
    createdAt: at,
  });
}

export function assign(story: Story, at: Date, doer: Doer, assignee: Teammate): void {
  story.assignee = assignee;
  story.assignedAt = at;
  story.updatedAt = at;
  const data = { assigneeId: assignee.id, assigneeName: assignee.name };
  addEntry(story, at, doer, { kind: 'assigned', data });
}

export function changeStatus(story: Story, at: Date, doer: Doer, to: ConversationStatus): void {
  const from = story.status;
  if (from === to) return;
  story.status = to;
  story.statusChangedAt = at;
  story.updatedAt = at;
  addEntry(story, at, doer, { kind: 'status_changed', data: { from, to } });
  if (to === 'pending') pauseClock(story.clocks, at);
  if (to === 'open') resumeClock(story.clocks, at);
  if (to === 'solved') story.resolvedAt = at;
  if (to === 'solved' || to === 'closed') stopClocks(story, at);
}

export function stopClocks(story: Story, at: Date): void {
  stopClock(story.clocks, 'first_response', at);
  stopClock(story.clocks, 'resolution', at);
}

/** Returns a slightly later timestamp, for an effect of a step. */
export function justAfter(at: Date): Date {
  return addMilliseconds(at, CONSEQUENCE_MS);
}

const CONSEQUENCE_MS = 40;
