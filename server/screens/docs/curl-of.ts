import type { OperationView } from '#server/screens/docs/views.ts';

/**
 * Returns an example call as a curl command.
 * @param tokenVariable shell variable with the token
 */
export function curlOf(
  { method, exampleTarget, exampleBody, exampleFile, needsToken }: OperationView,
  apiBase: string,
  tokenVariable = 'ACCESS_TOKEN',
): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(apiBase + exampleTarget)}`,
    ...(needsToken ? [`-H "Authorization: Bearer $${tokenVariable}"`] : []),
    ...(exampleBody === null ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(exampleBody)}`]),
    ...(exampleFile === null ? [] : [`-F ${quoted(exampleFile)}`]),
  ];
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
