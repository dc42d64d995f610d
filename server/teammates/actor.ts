import type { EventActor, EventCause } from '#server/contract/event-actor.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { ActorKind } from '#server/generated/prisma/enums.ts';

/** Author name of the AI agent's replies, as contacts see it. */
export const AI_AGENT_NAME = 'AI agent';

/**
 * Author of a change. `workflow` is the platform acting as the teammate who connected; `teammate` acts in the
 * app; the other kinds have no teammate. An automation (`flow`) has a name, a `program` the label of its API token.
 */
export type Actor =
  | { kind: 'teammate'; teammate: Teammate }
  | { kind: 'workflow'; teammate: Teammate; connectionId: string }
  | { kind: 'flow'; name: string }
  | { kind: 'program'; name: string; tokenId: string }
  | { kind: Exclude<ActorKind, 'teammate' | 'workflow' | 'flow' | 'program'> };

export type PersonalActor = Extract<Actor, { teammate: Teammate }>;

/** Returns the columns that store the author of a change. */
export function actorColumns(actor: Actor) {
  const teammate = 'teammate' in actor ? actor.teammate : null;
  return {
    actorKind: actor.kind,
    actorId: teammate?.id ?? null,
    actorName: 'name' in actor ? actor.name : (teammate?.name ?? null),
    connectionId: actor.kind === 'workflow' ? actor.connectionId : null,
  };
}

/** The actor of an event by kind of actor. */
export const EVENT_ACTOR_OF = {
  teammate: 'teammate',
  workflow: 'platform',
  program: 'program',
  contact: 'contact',
  ai_agent: 'ai_agent',
  flow: 'automation',
  automatic: 'automation',
} as const satisfies Record<ActorKind, EventActor['type']>;

/**
 * Returns the cause of a change's events.
 * @param contact the contact of the changed conversation
 */
export function causeOf(actor: Actor, contact?: { id: string; name: string | null } | null): EventCause {
  const type = EVENT_ACTOR_OF[actor.kind];
  if ('teammate' in actor) {
    const { id, name } = actor.teammate;
    return {
      actor: { type, id, name },
      causeId: actor.kind === 'workflow' ? actor.connectionId : undefined,
    };
  }
  if (actor.kind === 'contact')
    return { actor: { type, id: contact?.id ?? null, name: contact?.name ?? null } };
  if (actor.kind === 'program') {
    const { tokenId, name } = actor;
    return { actor: { type, id: tokenId, name }, causeId: tokenId };
  }
  return { actor: { type, id: null, name: actor.kind === 'flow' ? actor.name : null } };
}
