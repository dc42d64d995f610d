import type { IncomingMessage } from 'node:http';
import type { ApiContract } from '#server/api/api-contract.ts';
import { automationApi } from '#server/api/automation-api.ts';
import { API_HOST_PATH, API_PATH, DEVELOPER_API_PATH } from '#server/core/env.ts';
import { developerApi } from '#server/developer-api/developer-api.ts';
import { UPLOAD_LIMITS } from '#server/http/files/read-upload.ts';
import { handleApiCall } from '#server/http/handle-api-call.ts';
import {
  handleMcp,
  handleResourceMetadata,
  MCP_PATH,
  RESOURCE_METADATA_PATH,
} from '#server/http/handle-mcp.ts';
import { BODY_MAX_BYTES } from '#server/http/request/read-body.ts';
import { READ } from '#server/http/response/send-json.ts';
import type { Route } from '#server/http/route.ts';

/** Returns the route of an API at an address, with all paths below it. */
function apiRoute<Caller>(
  contract: ApiContract<Caller>,
  {
    name,
    prefix,
    limits,
    isAt,
    bodyMaxBytes = BODY_MAX_BYTES,
    isHere = (path) => path === prefix || path.startsWith(`${prefix}/`),
  }: Pick<Route, 'name' | 'limits'> & {
    prefix: string;
    bodyMaxBytes?: number;
    isHere?: (path: string) => boolean;
    isAt?: (req: IncomingMessage) => boolean;
  },
): Route {
  return {
    name,
    matches: isAt ? (_path, req) => isAt(req) : isHere,
    bodyMaxBytes,
    limits: [...limits, 'unknown_token'],
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
    limits: ['developer_api', 'upload'] as const,
    bodyMaxBytes: UPLOAD_LIMITS.bodyBytes,
    isAt: (req: IncomingMessage) => isAtHost(req, apiHost ?? ''),
  };
  return [
    ...(apiHost === undefined ? [] : [apiRoute(developerApi, atHost)]),
    apiRoute(automationApi, { name: 'API', prefix: API_PATH, limits: ['api'] }),
    apiRoute(developerApi, {
      name: 'files of the developer API',
      prefix: DEVELOPER_API_PATH,
      isHere: (path) => path === `${DEVELOPER_API_PATH}/files`,
      limits: ['developer_api', 'upload'],
      bodyMaxBytes: UPLOAD_LIMITS.bodyBytes,
    }),
    apiRoute(developerApi, {
      name: 'developer API',
      prefix: DEVELOPER_API_PATH,
      limits: ['developer_api'],
    }),
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
