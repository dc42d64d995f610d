import { z } from 'zod';
import { tagKey } from '#server/contract/tag-key.ts';
import {
  type FlowContent,
  type FlowTrigger,
  flowActions,
  flowCondition,
  flowTrigger,
} from '#server/inbox/flows/flow.ts';

/** The columns of `flows` with its content. */
type StoredContent = { trigger: string; condition: unknown; actions: unknown };

const triggered = z.object({ trigger: flowTrigger, if: flowCondition });
const ON_START: FlowTrigger = { kind: 'conversation_started' };

/** Returns the content of a stored flow; undefined if this version cannot read it. */
export function readFlow({ condition, actions }: Omit<StoredContent, 'trigger'>): FlowContent | undefined {
  const then = flowActions.safeParse(actions);
  if (!then.success) return undefined;
  const nested = triggered.safeParse(condition);
  if (nested.success) return { trigger: nested.data.trigger, condition: nested.data.if, actions: then.data };
  const flat = flowCondition.safeParse(condition);
  return flat.success ? { trigger: ON_START, condition: flat.data, actions: then.data } : undefined;
}

/**
 * Returns the columns of a flow. With a trigger, the condition is nested: the release before triggers runs every flow that it can
 * read on new conversations, and skips one whose condition it cannot read.
 */
export function storedFlow({ trigger, condition, actions }: FlowContent) {
  if (trigger.kind !== 'conversation_started')
    return { trigger: trigger.kind, condition: { trigger, if: condition }, actions };
  const { statuses: _, tags: __, ...onStart } = condition;
  return { trigger: trigger.kind, condition: onStart, actions };
}

/** Returns the keys of the tags that a flow names. */
export function tagKeysOf({ trigger, condition, actions }: FlowContent): string[] {
  const watched = trigger.kind === 'tagged' ? trigger.tags : [];
  return [...watched, ...condition.tags, ...actions.tags].map(tagKey);
}

/** Replaces a tag in each part of a flow. */
export function replaceTag(
  { trigger, condition, actions }: FlowContent,
  key: string,
  into: { key: string; name: string },
): FlowContent {
  const replaced = (tags: string[]) => [
    ...new Map(
      tags.map((tag) => (tagKey(tag) === key ? [into.key, into.name] : [tagKey(tag), tag])),
    ).values(),
  ];
  return {
    trigger: trigger.kind === 'tagged' ? { ...trigger, tags: replaced(trigger.tags) } : trigger,
    condition: { ...condition, tags: replaced(condition.tags) },
    actions: { ...actions, tags: replaced(actions.tags) },
  };
}
