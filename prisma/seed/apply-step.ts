import { addNote, addTags, runCommand } from '#prisma/seed/add-details.ts';
import { addMessage, sayAsContact } from '#prisma/seed/add-message.ts';
import { known } from '#prisma/seed/known.ts';
import { newId } from '#prisma/seed/new-id.ts';
import type { Step } from '#prisma/seed/steps.ts';
import { addEntry, assign, changeStatus, type Story, stopClocks, teammateOf } from '#prisma/seed/story.ts';

/** Applies a step of a story to the rows and to the conversation. */
export function applyStep(story: Story, step: Step, at: Date): void {
  story.updatedAt = at;
  switch (step.kind) {
    case 'says':
      sayAsContact(story, step, at);
      break;
    case 'replies':
      addMessage(story, step, at);
      break;
    case 'notes':
      addNote(story, step, at);
      break;
    case 'tags':
      addTags(story, step, at);
      break;
    case 'assigns':
      assign(story, at, step.by, teammateOf(story, step.to));
      break;
    case 'becomes':
      changeStatus(story, at, step.by, step.status);
      break;
    case 'rates':
      addRating(story, step, at);
      break;
    case 'runs':
      runCommand(story, step, at);
      break;
    case 'merges':
      merge(story, step, at);
      break;
    default:
      step satisfies never;
  }
}

function addRating(story: Story, step: Extract<Step, { kind: 'rates' }>, at: Date): void {
  story.rows.ratings.push({
    id: newId(at),
    workspaceId: story.made.id,
    conversationId: story.id,
    solvedConversationId: story.id,
    resolvedAt: story.resolvedAt,
    score: step.score,
    comment: step.comment,
    createdAt: at,
  });
  addEntry(story, at, 'contact', { kind: 'rated', data: { score: step.score, comment: step.comment } });
}

function merge(story: Story, step: Extract<Step, { kind: 'merges' }>, at: Date): void {
  const intoId = known(story.conversationIds, step.into);
  story.mergedIntoId = intoId;
  stopClocks(story, at);
  addEntry(story, at, step.by, { kind: 'merged', data: { intoId } });
}
