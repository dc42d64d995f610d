import { readFromReplica } from '#server/core/database/replica.ts';

/**
 * Reads of the APIs that may be a second old: lists across conversations or contacts, which programs read page by page, and samples. Everything else sees the
 * caller's own writes: single records, the messages of a conversation, the searches before a platform creates a record, and events, whose
 * order a cursor follows.
 */
export const REPLICA_READS: Record<'automation' | 'developer', string[]> = {
  automation: ['events.listSamples'],
  developer: ['contacts.list', 'companies.list', 'conversations.list', 'conversations.search'],
};

/** Runs a call, on the replica if its result may be a second old. */
export function readMaybeOld<T>(
  api: keyof typeof REPLICA_READS,
  procedure: string,
  call: () => Promise<T>,
): Promise<T> {
  return REPLICA_READS[api].includes(procedure) ? readFromReplica(call) : call();
}
