import { describe, expect, test } from 'vitest';
import { demoRows } from '#prisma/seed/demo-rows.ts';
import { flowActions, flowCondition } from '#server/inbox/flows/flow.ts';
import { matchesCondition } from '#server/inbox/flows/matches-condition.ts';

const rows = demoRows({ now: new Date('2026-11-27T12:00:00Z'), passwordHash: 'x', connecting: null });

describe('the demo data contains what its conversations mention', () => {
  const entries = rows.timeline.filter(({ actorKind }) => actorKind === 'flow');

  test('an automation for each of its entries in a timeline', () => {
    expect(entries.length).toBeGreaterThan(2);
    for (const { conversationId, kind, actorName } of entries) {
      const conversation = rows.conversations.find(({ id }) => id === conversationId);
      const first = rows.messages.find((message) => message.conversationId === conversationId);
      const tagged = rows.taggings.find(
        (tagging) => tagging.conversationId === conversationId && tagging.actorKind === 'flow',
      );
      const names = rows.taggingTags.flatMap((tag) => (tag.taggingId === tagged?.id ? tag.name : []));
      const flows = rows.flows.filter(({ workspaceId }) => workspaceId === conversation?.workspaceId);
      const matching = flows.filter(({ condition }) =>
        matchesCondition(flowCondition.parse(condition), {
          channel: conversation?.channel ?? 'email',
          text: `${conversation?.subject ?? ''}\n${first?.content ?? ''}`,
          email: null,
        }),
      );
      expect(kind).toBe('tagged');
      expect(matching.flatMap(({ actions }) => flowActions.parse(actions).tags)).toEqual(names);
      expect(matching.map(({ name }) => name)).toEqual([actorName]);
    }
  });

  test('the AI agent and its answers, where it has answered', () => {
    const answered = rows.messages.filter(({ authorKind }) => authorKind === 'ai_agent');
    for (const id of new Set(answered.map(({ workspaceId }) => workspaceId))) {
      expect(rows.workspaces.find((workspace) => workspace.id === id)).toMatchObject({
        aiAgentEnabled: true,
      });
      expect(rows.savedAnswers.some(({ workspaceId }) => workspaceId === id)).toBe(true);
    }
  });

  test('every file that a message has', () => {
    const counted = rows.messages.reduce((sum, { attachmentsCount = 0 }) => sum + attachmentsCount, 0);
    expect(rows.attachments).toHaveLength(counted);
    expect(rows.attachments.length).toBeGreaterThan(3);
    for (const { fileId, sizeBytes } of rows.attachments) {
      const chunk = rows.fileChunks.find((each) => each.fileId === fileId);
      expect(chunk?.content.byteLength).toBe(sizeBytes);
    }
  });
});
