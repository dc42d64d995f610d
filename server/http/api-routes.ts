import type { IncomingMessage } from 'node:http';
import type { ApiContract } from '#server/api/api-contract.ts';
import { automationApi } from '#server/api/automation-api.ts';
import { API_HOST_PATH, API_PATH, DEVELOPER_API_PATH } from '#server/core/env.ts';
import { developerApi } from '#server/developer-api/developer-api.ts';
import { handleApiCall } from '#server/http/handle-api-call.ts';
import {
  handleMcp,
  handleResourceMetadata,
  MCP_PATH,
  RESOURCE_METADATA_PATH,
} from '#server/http/handle-mcp.ts';
import { BODY_MAX_BYTES } from '#server/http/request/read-body.ts';
import { READ } from '#server/http/response/send-json.ts';
import type { Route } from '#server/http/routes.ts';

/** Returns the route of an API at an address, with all paths below it. */
function apiRoute<Caller>(
  contract: ApiContract<Caller>,
  {
    name,
    prefix,
    limit,
    isAt,
  }: Pick<Route, 'name'> & {
    prefix: string;
    limit: Route['limits'][0];
    isAt?: (req: IncomingMessage) => boolean;
  },
): Route {
  return {
    name,
    matches: isAt ? (_path, req) => isAt(req) : (path) => path === prefix || path.startsWith(`${prefix}/`),
    bodyMaxBytes: BODY_MAX_BYTES,
    limits: [limit, 'unknown_token'],
    handle: (req, res, path) =>
      handleApiCall(contract, {
        req,
        res,
        // On its own host every path is one of the API: others match no route of it.
        path: path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : '',
      }),
  };
}

/** Returns whether a request names a host. */
function isAtHost({ headers }: IncomingMessage, name: string): boolean {
  return headers.host?.toLowerCase().split(':', 1)[0] === name;
}

/**
 * Returns the routes of the automation API, the developer API and the MCP server, which calls the developer API.
 * @param apiHost the developer API's own host, if it has one: nothing else is served there
 */
export function apiRoutes(apiHost: string | undefined): Route[] {
  const atHost = {
    name: 'developer API on its host',
    prefix: API_HOST_PATH,
    limit: 'developer_api' as const,
    isAt: (req: IncomingMessage) => isAtHost(req, apiHost ?? ''),
  };
  return [
    ...(apiHost === undefined ? [] : [apiRoute(developerApi, atHost)]),
    apiRoute(automationApi, { name: 'API', prefix: API_PATH, limit: 'api' }),
    apiRoute(developerApi, { name: 'developer API', prefix: DEVELOPER_API_PATH, limit: 'developer_api' }),
    {
      name: 'MCP',
      matches: (path) => path === MCP_PATH,
      methods: ['POST'],
      bodyMaxBytes: BODY_MAX_BYTES,
      limits: ['developer_api', 'unknown_token'],
      handle: handleMcp,
    },
    {
      name: 'MCP metadata',
      matches: (path) => path === RESOURCE_METADATA_PATH,
      methods: READ,
      bodyMaxBytes: 0,
      limits: ['costs_nothing'],
      handle: handleResourceMetadata,
    },
  ];
}
