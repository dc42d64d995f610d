import { type ApiContract, commonLimitHeaders } from '#server/api/api-contract.ts';
import { callProcedure } from '#server/api/call-procedure.ts';
import { servedOpenApiJson } from '#server/api/openapi/document.ts';
import { readMaybeOld } from '#server/api/replica-reads.ts';
import { restRouter } from '#server/api/router.ts';
import { findRoute } from '#server/api/routes.ts';
import { openWriter } from '#server/api/write-change.ts';
import {
  activeConnectionPart,
  type Caller,
  findCaller,
  refusalOfEnded,
  touchConnection,
} from '#server/automation/connections/find-caller.ts';
import { TOKEN_EXPIRED_MESSAGE } from '#server/contract/connection-messages.ts';
import { API_PATH } from '#server/core/env.ts';

/** The API of the workflow platform (docs/spec.md §4.2). */
export const automationApi: ApiContract<Caller> = {
  basePath: API_PATH,
  findRoute,
  uploads: new Set(),
  document: servedOpenApiJson,
  authenticate: findCaller,
  noTokenMessage: TOKEN_EXPIRED_MESSAGE,
  // `findCaller` has checked the role, which is the same for every call.
  refuse: () => undefined,
  touch: async ({ lastUsedIsStale, connectionId }) => {
    if (lastUsedIsStale) await touchConnection(connectionId);
  },
  ownerOf: ({ connectionId }) => connectionId,
  ownerKey: 'connectionId',
  limit: 'api',
  limitHeaders: commonLimitHeaders,
  headers: () => ({}),
  conditions: ({ connectionId }) => ({
    active_connection: {
      part: activeConnectionPart(connectionId),
      otherwise: (tx) => refusalOfEnded(tx, connectionId),
    },
  }),
  workspaceOf: ({ workspace }) => workspace.id,
  call: (procedure, { input, caller, writer }) =>
    readMaybeOld('automation', procedure, () =>
      callProcedure(restRouter.createCaller({ caller, ...writer }), procedure, input),
    ),
};

/** Calls a procedure that reads, outside of HTTP. */
export function callAutomation(
  procedure: string,
  input: Record<string, unknown>,
  caller: Caller,
): Promise<unknown> {
  return automationApi.call(procedure, { input, caller, writer: openWriter() });
}
