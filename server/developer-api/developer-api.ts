import { isIP } from 'node:net';
import type { AnyProcedure, AnyRouter } from '@trpc/server';
import { type ApiContract, commonLimitHeaders } from '#server/api/api-contract.ts';
import { callProcedure } from '#server/api/call-procedure.ts';
import { readMaybeOld } from '#server/api/replica-reads.ts';
import { routesOf } from '#server/api/routes.ts';
import { hasAbility, type NeededAbility } from '#server/automation/tokens/abilities.ts';
import {
  findProgram,
  liveTokenPart,
  type Program,
  TOKEN_NOT_VALID_MESSAGE,
  tokenEnded,
  touchToken,
} from '#server/automation/tokens/find-program.ts';
import { DEVELOPER_API_PATH } from '#server/core/env.ts';
import { LIMITS, type LimitState } from '#server/core/limits/limits.ts';
import { servedDeveloperJson } from '#server/developer-api/openapi/document.ts';
import type { DeveloperMeta } from '#server/developer-api/procedures.ts';
import { developerRouter } from '#server/developer-api/router.ts';

/** Abilities that the calls need, by procedure. */
const NEEDED = neededAbilities(developerRouter);

function neededAbilities(router: AnyRouter): Map<string, DeveloperMeta['ability']> {
  const procedures: Record<string, AnyProcedure> = router._def.procedures;
  return new Map(
    Object.entries(procedures).map(([name, { _def }]) => [name, (_def.meta as DeveloperMeta).ability]),
  );
}

/** The public API for programs with an API token (docs/developer-api.md). */
export const developerApi: ApiContract<Program> = {
  basePath: DEVELOPER_API_PATH,
  findRoute: routesOf(developerRouter),
  uploads: new Set(['files.upload']),
  document: servedDeveloperJson,
  authenticate: async (token) => {
    const found = await findProgram(token);
    return found.kind === 'caller' ? found : { ...found, message: TOKEN_NOT_VALID_MESSAGE };
  },
  noTokenMessage: TOKEN_NOT_VALID_MESSAGE,
  refuse: ({ abilities }, procedure) => {
    const needed = NEEDED.get(procedure);
    // A procedure that is missing in the map would be open to every token.
    if (needed === undefined) throw new Error(`The procedure ${procedure} names no ability.`);
    return needed === null || hasAbility(abilities, needed) ? undefined : missingAbility(needed);
  },
  touch: async ({ lastUsedIsStale, tokenId }, address) => {
    if (lastUsedIsStale) await touchToken(tokenId, isIP(address) === 0 ? null : address);
  },
  ownerOf: ({ tokenId }) => tokenId,
  ownerKey: 'tokenId',
  limit: 'developer_api',
  limitHeaders: (state) => ({ ...commonLimitHeaders(state), ...rateLimitFields(state) }),
  headers: (requestId) => ({ 'Request-Id': requestId }),
  conditions: ({ tokenId }) => ({ live_token: { part: liveTokenPart(tokenId), otherwise: tokenEnded } }),
  workspaceOf: ({ workspace }) => workspace.id,
  call: (procedure, { input, caller: program, writer }) =>
    readMaybeOld('developer', procedure, () =>
      callProcedure(developerRouter.createCaller({ program, ...writer }), procedure, input),
    ),
};

/** Returns the message of the `403` for a token without an ability. */
function missingAbility(ability: NeededAbility): string {
  return `This token needs the ability ${ability}.`;
}

/** Returns the limit as structured fields (draft-ietf-httpapi-ratelimit-headers-11). */
function rateLimitFields({ limit, remaining, retryAfterSeconds }: LimitState): Record<string, string> {
  return {
    RateLimit: `"default";r=${remaining};t=${retryAfterSeconds}`,
    'RateLimit-Policy': `"default";q=${limit};w=${LIMITS.developer_api.seconds}`,
  };
}
