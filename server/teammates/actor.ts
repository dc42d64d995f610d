import type { Teammate } from '#server/contract/record-schemas.ts';
import type { ActorKind } from '#server/generated/prisma/enums.ts';

/** What the contact sees as the author of its answers. */
export const AI_AGENT_NAME = 'AI agent';

/**
 * Who makes a change. `workflow` is the platform acting as the teammate who connected; `teammate` acts in the
 * app; all others are no teammate.
 */
export type Actor =
  | { kind: 'teammate'; teammate: Teammate }
  | { kind: 'workflow'; teammate: Teammate; connectionId: string }
  | { kind: Exclude<ActorKind, 'teammate' | 'workflow'> };

/** A teammate who acts in the app or through the platform. */
export type PersonalActor = Extract<Actor, { teammate: Teammate }>;

/** The columns that say who did something, for rows that keep it. */
export function actorColumns(actor: Actor) {
  const teammate = 'teammate' in actor ? actor.teammate : null;
  return {
    actorKind: actor.kind,
    actorId: teammate?.id ?? null,
    actorName: teammate?.name ?? null,
    connectionId: actor.kind === 'workflow' ? actor.connectionId : null,
  };
}
