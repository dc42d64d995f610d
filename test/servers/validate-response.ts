import { errorProblem, type PathRule, pathRules, type ResponseRule } from '#test/servers/response-rules.ts';

/** A response of `{api_base}/*`, as it went out. */
export type SentResponse = {
  method: string;
  /** Below `{api_base}`, as it came, without the query. */
  path: string;
  status: number;
  /** By name in lowercase. */
  headers: Record<string, unknown>;
  body: string;
};

/**
 * What in a response breaks the contract as `openapi.json` has it: a status that is not documented, a header that
 * is missing, a body with a stray, missing or wrong key. Empty when nothing does.
 */
export function validateResponse(response: SentResponse): string[] {
  const { method, path, status } = response;
  const rule = findPath(path);
  if (!rule) return status === 404 ? errorProblems(response) : [`${status} for an unknown address, not 404`];
  const operation = rule.operations.get(method === 'HEAD' ? 'GET' : method);
  if (!operation)
    return status === 405 ? wrongMethodProblems(response, rule) : [`${status} for a method it has not`];
  const documented = operation.responses.get(status);
  if (!documented) return [`the status ${status} is not documented`];
  return [...headerProblems(response, documented), ...bodyProblems(response, documented.bodyProblem)];
}

/** The path of the contract that is meant; one without parameters goes before one with. */
function findPath(path: string): PathRule | undefined {
  const given = path.split('/').slice(1).map(decoded);
  const fits = ({ segments }: PathRule) =>
    segments.length === given.length &&
    segments.every((segment, at) => (isParameter(segment) ? isValue(given[at]) : segment === given[at]));
  const found = pathRules.filter(fits);
  return found.find(({ segments }) => !segments.some(isParameter)) ?? found[0];
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/** Nothing, and the dots that URLs are read without, stand for no parameter (RFC 3986 §6.2.2). */
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

function wrongMethodProblems(response: SentResponse, { operations }: PathRule): string[] {
  const allowed = [...operations.keys(), ...(operations.has('GET') ? ['HEAD'] : [])];
  const allow = allowed.sort().join(', ');
  const said = String(response.headers.allow ?? '')
    .split(', ')
    .sort()
    .join(', ');
  return [
    ...errorProblems(response),
    ...(said === allow ? [] : [`the header Allow is ${said}, not ${allow}`]),
  ];
}

/** An error that belongs to no operation, as its address or method does not exist. */
function errorProblems(response: SentResponse): string[] {
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
  if (json === undefined) return [`the body is no JSON: ${body.slice(0, 1000)}`];
  const wrong = problem(json);
  return wrong === undefined ? [] : [`the body does not fit: ${wrong}\n${body.slice(0, 1000)}`];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
