import type { EventActor, EventCause } from '#server/contract/event-actor.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { ActorKind } from '#server/generated/prisma/enums.ts';

/** Author name of the AI agent's replies, as contacts see it. */
export const AI_AGENT_NAME = 'AI agent';

/**
 * Author of a change. `workflow` is the platform acting as the teammate who connected; `teammate` acts in the
 * app; the other kinds have no teammate. An automation (`flow`) has a name, a `program` the label of its API token. A program
 * can write messages and notes of an `author`.
 */
export type Actor =
  | { kind: 'teammate'; teammate: Teammate }
  | { kind: 'workflow'; teammate: Teammate; connectionId: string }
  | { kind: 'flow'; name: string }
  | { kind: 'program'; name: string; tokenId: string; author?: Teammate | undefined }
  | { kind: Exclude<ActorKind, 'teammate' | 'workflow' | 'flow' | 'program'> };

export type PersonalActor = Extract<Actor, { teammate: Teammate }>;

/** Author of a change that can write to contacts and add notes. */
export type WritingActor = Extract<Actor, { teammate: Teammate } | { kind: 'program' }>;

/** Returns the teammate in whose name the actor writes; null for a program without an author. */
export function writerOf(actor: WritingActor): Teammate | null {
  return 'teammate' in actor ? actor.teammate : (actor.author ?? null);
}

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

/** Returns the name of the teammate who writes, or the label of a program without an author. */
export function nameOfWriter(actor: WritingActor): string {
  return writerOf(actor)?.name ?? ('name' in actor ? actor.name : '');
}

/** Returns the columns that store the author of a message or note. A program's label is apart, because contacts see the author's name. */
export function authorColumns(actor: Actor) {
  const { actorKind: authorKind, connectionId, ...stored } = actorColumns(actor);
  const common = { authorKind, connectionId };
  if (actor.kind !== 'program')
    return {
      ...common,
      authorId: stored.actorId,
      authorName: stored.actorName,
      apiTokenId: null,
      programName: null,
    };
  const { author = null, tokenId: apiTokenId, name: programName } = actor;
  return {
    ...common,
    authorId: author?.id ?? null,
    authorName: author?.name ?? null,
    apiTokenId,
    programName,
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

/** Author of a stored message. */
type MessageAuthor = {
  authorKind: ActorKind;
  authorId: string | null;
  authorName: string | null;
  connectionId: string | null;
  apiTokenId: string | null;
  programName: string | null;
};

/** Returns the cause of events about a stored message: its author. */
export function causeOfAuthor({ authorKind, authorId, authorName, ...through }: MessageAuthor): EventCause {
  const { connectionId, apiTokenId, programName } = through;
  const id = authorKind === 'program' ? apiTokenId : authorId;
  const name = authorKind === 'program' ? programName : authorKind === 'ai_agent' ? null : authorName;
  return {
    actor: { type: EVENT_ACTOR_OF[authorKind], id, name },
    causeId: connectionId ?? apiTokenId ?? undefined,
  };
}

/** Returns the author of an audit entry. A program has only the label of its token. */
export function auditAuthor(actor: Actor): { id: string | null; name: string } {
  const { actorId, actorName } = actorColumns(actor);
  return { id: actorId, name: actorName ?? '' };
}
