import type { AnyRouter } from '@trpc/server';
import { forEachOpenApiProcedure } from 'trpc-openapi';
import { DOCUMENT_PATH } from '#server/api/openapi/describe-procedures.ts';
import { type SuccessStatus, successStatus } from '#server/api/openapi/operations.ts';
import { restRouter } from '#server/api/router.ts';
import { percentDecoded } from '#server/core/text.ts';

export type Operation = {
  successStatus: SuccessStatus;
  /** Path in the router, such as `contacts.update`. Null for the document, which has no procedure. */
  procedure: string | null;
};

/** A matched path: its operations by HTTP method, and the values of its parameters. */
export type Route = { operations: ReadonlyMap<string, Operation>; parameters: Record<string, string> };

/** Maximum length of a path, in characters: Node refuses longer request heads. */
const PATH_MAX_LENGTH = 16_384;

type Path = { segments: string[]; operations: Map<string, Operation> };

/** Returns the paths of an API. Paths without parameters come first, because the first match wins. */
function readPaths(router: AnyRouter): Path[] {
  const paths = new Map<string, Map<string, Operation>>();
  forEachOpenApiProcedure(router._def.procedures, ({ path: procedure, meta: { openapi } }) => {
    const { method, path } = openapi;
    const operations = paths.get(path) ?? new Map<string, Operation>();
    paths.set(path, operations.set(method, { successStatus: successStatus(method, path), procedure }));
  });
  paths.set(DOCUMENT_PATH, new Map([['GET', { successStatus: 200, procedure: null }]]));
  const countParameters = (path: string) => path.split('{').length;
  return [...paths]
    .toSorted(([a], [b]) => countParameters(a) - countParameters(b))
    .map(([path, operations]) => ({ segments: path.split('/').slice(1), operations }));
}

/** Matches the path of a request. Returns undefined when the path is unknown or cannot be decoded. */
export type FindRoute = (path: string) => Route | undefined;

/** Returns the function that matches paths of a router, below the API's address and still percent-encoded. */
export function routesOf(router: AnyRouter): FindRoute {
  const paths = readPaths(router);
  return (path) => {
    if (path.length > PATH_MAX_LENGTH) return undefined;
    const parts = path.split('/').slice(1).map(percentDecoded);
    for (const { segments, operations } of paths) {
      const parameters = matchSegments(segments, parts);
      if (parameters) return { operations, parameters };
    }
    return undefined;
  };
}

/** Matches a path below `{api_base}`. */
export const findRoute = routesOf(restRouter);

/** Returns the values of the parameters, or undefined if the path does not match. */
function matchSegments(
  segments: string[],
  values: (string | undefined)[],
): Record<string, string> | undefined {
  if (segments.length !== values.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, segment] of segments.entries()) {
    const value = values[i];
    const isParameter = segment.startsWith('{');
    if (!isParameter && segment !== value) return undefined;
    if (isParameter && isValue(value)) parameters[segment.slice(1, -1)] = value;
    else if (isParameter) return undefined;
  }
  return parameters;
}

/** Returns whether a segment can be a parameter. Dot segments cannot, because clients remove them (RFC 3986 §6.2.2). */
function isValue(segment: string | undefined): segment is string {
  return segment !== undefined && segment !== '' && segment !== '.' && segment !== '..';
}
