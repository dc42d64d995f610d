import { AutomationError } from './automation-error.ts';

type Result<Data> = { data?: Data; error?: unknown; response: Response };

/**
 * Returns the data of a response, for example `dataOf(await client.GET('/me'))`.
 * @throws AutomationError when the API refused the call
 */
export function dataOf<Data>(result: Result<Data>): NonNullable<Data> {
  const { data, error, response } = result;
  if (!response.ok || data === undefined || data === null) throw new AutomationError(response, error);
  return data;
}
