import { tagKey } from '#server/contract/tag-key.ts';
import type { FlowCause } from '#server/inbox/conversations/flow-cause.ts';
import type { FlowTrigger } from '#server/inbox/flows/flow.ts';

/** Returns whether a cause starts a flow. A cause of time names its flow, because each flow waits for its own time. */
export function matchesTrigger({ id, trigger }: { id: string; trigger: FlowTrigger }, cause: FlowCause) {
  if ('flowId' in cause) return cause.flowId === id;
  if (trigger.kind !== cause.kind) return false;
  switch (trigger.kind) {
    case 'status_changed':
    case 'priority_changed':
      return trigger.to === null || ('to' in cause && trigger.to === cause.to);
    case 'team_set':
      return trigger.teamId === null || ('teamId' in cause && trigger.teamId === cause.teamId);
    case 'sla_missed':
      return trigger.limit === null || ('limit' in cause && trigger.limit === cause.limit);
    case 'tagged': {
      const added = 'tags' in cause ? cause.tags.map(tagKey) : [];
      return trigger.tags.length === 0 || trigger.tags.some((tag) => added.includes(tagKey(tag)));
    }
    default:
      return true;
  }
}
