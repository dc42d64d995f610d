import { z } from 'zod';
import { anySampleSchema } from '#server/contract/event-schemas.ts';
import type { EventBody } from '#server/contract/record-events.ts';
import { apiClient } from '#test/clients/api-client.ts';

/** Returns a client that loads samples and validates each with its schema. `query` has the query parameters. */
export function sampleClient(url: string, accessToken: string) {
  const api = apiClient(url, accessToken);
  return async (event: string, query: Record<string, string> = {}): Promise<EventBody[]> => {
    const response = await api('GET', `/triggers/${event}/samples?${new URLSearchParams(query)}`);
    if (response.status !== 200)
      throw new Error(`No samples: ${response.status} ${JSON.stringify(response.body)}.`);
    return z.array(anySampleSchema).parse(response.body);
  };
}
