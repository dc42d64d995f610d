import type { ContractRules, PathRule, ResponseRule } from '#test/servers/response-rules.ts';

/** A response of an API, as sent. */
export type SentResponse = {
  method: string;
  /** The raw path below the API's address, without the query. */
  path: string;
  status: number;
  /** By name in lower case. */
  headers: Record<string, unknown>;
  body: string;
};

/**
 * Lists how a response breaks its contract: an undocumented status, a missing header, or a
 * body with additional, missing or wrong keys. Empty for a valid response.
 */
export function validateResponse(rules: ContractRules, response: SentResponse): string[] {
  const { method, path, status } = response;
  const rule = findPath(rules, path);
  if (!rule)
    return status === 404 ? errorProblems(rules, response) : [`${status} for an unknown path, not 404`];
  const operation = rule.operations.get(method === 'HEAD' ? 'GET' : method);
  if (!operation)
    return status === 405
      ? wrongMethodProblems(rules, response, rule)
      : [`${status} for an undefined method`];
  const documented = operation.responses.get(status);
  if (!documented) return [`the status ${status} is not documented`];
  return [...headerProblems(response, documented), ...bodyProblems(response, documented.bodyProblem)];
}

/** Finds the path of the contract. A path without parameters takes precedence. */
function findPath({ paths }: ContractRules, path: string): PathRule | undefined {
  const given = path.split('/').slice(1).map(decoded);
  const fits = ({ segments }: PathRule) =>
    segments.length === given.length &&
    segments.every((segment, at) => (isParameter(segment) ? isValue(given[at]) : segment === given[at]));
  const found = paths.filter(fits);
  return found.find(({ segments }) => !segments.some(isParameter)) ?? found[0];
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/** Returns whether a segment can be a parameter: neither empty nor dots, which URLs remove (RFC 3986 §6.2.2). */
function isValue(segment: string | undefined): boolean {
  return segment !== undefined && !['', '.', '..'].includes(segment);
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function wrongMethodProblems(
  rules: ContractRules,
  response: SentResponse,
  { operations }: PathRule,
): string[] {
  const allowed = [...operations.keys(), ...(operations.has('GET') ? ['HEAD'] : [])];
  const allow = allowed.sort().join(', ');
  const actual = String(response.headers.allow ?? '')
    .split(', ')
    .sort()
    .join(', ');
  return [
    ...errorProblems(rules, response),
    ...(actual === allow ? [] : [`the header Allow is ${actual}, not ${allow}`]),
  ];
}

/** Checks an error without an operation, for an unknown path or method. */
function errorProblems({ errorProblem }: ContractRules, response: SentResponse): string[] {
  const missing = response.headers['x-request-id'] ? [] : ['the header X-Request-Id is missing'];
  return [...missing, ...bodyProblems(response, errorProblem)];
}

function headerProblems({ headers }: SentResponse, rule: ResponseRule): string[] {
  return rule.headers.flatMap(({ name, required, problem }) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    const wrong = problem(value);
    return wrong === undefined ? [] : [`the header ${name} is ${value}: ${wrong}`];
  });
}

function bodyProblems(
  { method, headers, body }: SentResponse,
  problem: (body: unknown) => string | undefined,
): string[] {
  if (method === 'HEAD') return [];
  const type = String(headers['content-type']);
  if (!/^application\/json(;|$)/.test(type)) return [`the body is ${type}, not JSON`];
  const json = parsed(body);
  if (json === undefined) return [`the body is not JSON: ${body.slice(0, 1000)}`];
  const wrong = problem(json);
  return wrong === undefined ? [] : [`the body does not match: ${wrong}\n${body.slice(0, 1000)}`];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
