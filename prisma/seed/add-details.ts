import { newId } from '#prisma/seed/new-id.ts';
import type { Step } from '#prisma/seed/steps.ts';
import { addEntry, doerColumns, type Story, teammateOf } from '#prisma/seed/story.ts';
import { tagKey } from '#server/contract/tag-key.ts';

export function addNote(story: Story, step: Extract<Step, { kind: 'notes' }>, at: Date): void {
  const author = teammateOf(story, step.by);
  const id = newId(at);
  story.rows.notes.push({
    ...columns(story, at),
    id,
    authorKind: 'teammate',
    authorId: author.id,
    authorName: author.name,
    content: step.text,
  });
  for (const { id: userId, name } of story.made.teammates.values()) {
    const isMentioned = userId !== author.id && step.text.includes(`@${name}`);
    if (isMentioned) story.rows.noteMentions.push({ noteId: id, userId });
  }
}

/** Adds tags that the conversation does not have. */
export function addTags(story: Story, step: Extract<Step, { kind: 'tags' }>, at: Date): void {
  const { rows, tagKeys } = story;
  const tags = step.tags.map((name) => ({ key: tagKey(name), name })).filter(({ key }) => !tagKeys.has(key));
  if (tags.length === 0) return;
  const { actorKind } = doerColumns(story, step.by);
  const id = newId(at);
  rows.taggings.push({ ...columns(story, at), id, actorKind });
  for (const [position, tag] of tags.entries()) {
    tagKeys.add(tag.key);
    rows.conversationTags.push({ ...columns(story, at), position, ...tag });
    rows.taggingTags.push({ taggingId: id, workspaceId: story.made.id, position, ...tag, createdAt: at });
  }
  addEntry(story, at, step.by, { kind: 'tagged', data: { tags: tags.map(({ name }) => name) } });
}

/** Runs a workflow command as a teammate, with the system's note about it. */
export function runCommand(story: Story, step: Extract<Step, { kind: 'runs' }>, at: Date): void {
  const operator = teammateOf(story, step.by);
  const { command, details } = step;
  const id = newId(at);
  story.rows.commandRuns.push({
    ...columns(story, at),
    id,
    operatorId: operator.id,
    operatorName: operator.name,
    operatorEmail: operator.email,
    command,
    arguments: details,
  });
  story.rows.notes.push({
    ...columns(story, at),
    id: newId(at),
    authorKind: 'automatic',
    commandRunId: id,
    content: details ? `${operator.name} ran /${command}: ${details}` : `${operator.name} ran /${command}`,
  });
}

function columns(story: Story, at: Date) {
  return { workspaceId: story.made.id, conversationId: story.id, createdAt: at };
}
