import type { OperationView } from '#server/screens/docs/views.ts';

/** An example of a call as a command to paste into a shell. */
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
