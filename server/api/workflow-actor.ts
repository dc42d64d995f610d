import type { Caller } from '#server/automation/connections/find-caller.ts';

/** The platform, acting as the teammate who connected: the actor of every change through the API. */
export function workflowActor({ teammate, connectionId }: Caller) {
  return { kind: 'workflow' as const, teammate, connectionId };
}
