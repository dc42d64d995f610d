import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { WriteChange } from '#server/api/write-change.ts';
import type { NeededAbility } from '#server/automation/tokens/abilities.ts';
import type { Program } from '#server/automation/tokens/find-program.ts';

/** Context of a procedure. The HTTP handler has authenticated the program and checked its ability. */
type DeveloperContext = { program: Program; write: WriteChange };

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
