import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { z } from 'zod';
import { checkRecord, type RecordCheck } from '#server/api/check-record.ts';
import type { Writer } from '#server/api/write-change.ts';
import type { NeededAbility } from '#server/automation/tokens/abilities.ts';
import type { Program } from '#server/automation/tokens/find-program.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid } from '#server/core/errors.ts';
import type { WritingActor } from '#server/teammates/actor.ts';
import { findAssignable } from '#server/teammates/find-teammates.ts';

/** Context of a procedure. The HTTP handler has authenticated the program and checked its ability. */
type DeveloperContext = { program: Program } & Writer;

/** `ability`: what a token needs to make the call. Null: every token may. */
export type DeveloperMeta = OpenApiMeta & { ability: NeededAbility | null };

/** Separate from the routers of the automation API and of the screens: each accepts only its own credentials. */
export const developer = initTRPC
  .context<DeveloperContext>()
  .meta<DeveloperMeta>()
  .create({ defaultMeta: { ability: null } });

/** Starts a procedure with the ability that it needs, and its method, path and texts for `openapi-developer.json`. */
export function developerProcedure(
  ability: NeededAbility | null,
  openapi: NonNullable<OpenApiMeta['openapi']>,
) {
  const needed = ability === null ? 'Every token may make this call.' : `Needs the ability \`${ability}\`.`;
  const description = [openapi.description, needed].join(' ');
  return developer.procedure.meta({ ability, openapi: { ...openapi, description } });
}

/** `checkRecord` as a middleware, for a procedure about the record that its path names. */
export function refuseUnknown(schema: z.ZodType, record: RecordCheck) {
  return developer.middleware(async ({ ctx, getRawInput, next }) => {
    await checkRecord(ctx.program.workspace.id, await getRawInput(), { schema, ...record });
    return next();
  });
}

/** Returns the actor of changes through the API. */
export function programActor({ tokenId, label }: Program) {
  return { kind: 'program' as const, tokenId, name: label };
}

/**
 * Returns the actor that writes a message or note, with its author if the call names one.
 * @throws Refusal when the author is not a teammate who can take conversations
 */
export async function writingActor(
  tx: SqlDb,
  program: Program,
  authorId: string | undefined,
): Promise<WritingActor> {
  const actor = programActor(program);
  if (authorId === undefined) return actor;
  const author = await findAssignable(tx, { workspaceId: program.workspace.id, id: authorId });
  if (!author) throw invalid({ author_id: [NO_SUCH_AUTHOR] });
  return { ...actor, author };
}

const NO_SUCH_AUTHOR =
  'The author (author_id) must be a teammate of this workspace who can take conversations.';
