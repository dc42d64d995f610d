import { openApiDocument } from '#server/api/openapi/document.ts';
import { METHODS, type SuccessStatus, successStatus } from '#server/api/openapi/operations.ts';

/** What a path of the contract answers to: each method with its status of success. */
export type RoutePath = { segments: string[]; successStatuses: Map<string, SuccessStatus> };

/** As long as a request's head may be, in characters: more never arrives, and would be taken apart for nothing. */
const PATH_MAX_LENGTH = 16_384;

/** The paths of the contract, read off the document; a path without parameters goes before one with. */
const ROUTE_PATHS: RoutePath[] = Object.entries(openApiDocument.paths ?? {})
  .map(([path, operations]) => ({
    segments: path.split('/').slice(1),
    successStatuses: new Map(
      METHODS.filter((method) => operations[method]).map((method): [string, SuccessStatus] => [
        method.toUpperCase(),
        successStatus(method, path),
      ]),
    ),
  }))
  .sort((a, b) => countParameters(a) - countParameters(b));

function countParameters({ segments }: RoutePath): number {
  return segments.filter(isParameter).length;
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/**
 * Finds the path of the contract that a request's path means.
 * @param path below `{api_base}`, as it came, still encoded
 * @returns what it answers to, and the path encoded again, so that this reader and trpc-openapi see the same;
 *   undefined when it is unknown or cannot be decoded
 */
export function findRoutePath(path: string): { found: RoutePath; path: string } | undefined {
  if (path.length > PATH_MAX_LENGTH) return undefined;
  const given = path.split('/').slice(1).map(decode);
  const found = ROUTE_PATHS.find(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((segment, i) => (isParameter(segment) ? isValue(given[i]) : segment === given[i])),
  );
  return found && { found, path: given.map((segment) => `/${encodeURIComponent(segment ?? '')}`).join('') };
}

/** Whether a segment can be a parameter. Dot segments cannot: URLs are read without them (RFC 3986 §6.2.2). */
function isValue(segment: string | undefined): boolean {
  return segment !== undefined && segment !== '' && segment !== '.' && segment !== '..';
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
