import type { OperationView } from '#server/screens/docs/views.ts';

/** Returns an example call as a curl command. */
export function curlOf(
  { method, exampleTarget, exampleBody, needsToken }: OperationView,
  apiBase: string,
): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(apiBase + exampleTarget)}`,
    ...(needsToken ? ['-H "Authorization: Bearer $ACCESS_TOKEN"'] : []),
    ...(exampleBody === null ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(exampleBody)}`]),
  ];
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
