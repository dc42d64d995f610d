import { z } from 'zod';
import { anySampleSchema } from '#server/contract/event-schemas.ts';
import type { EventBody } from '#server/contract/record-events.ts';
import { apiClient } from '#test/clients/api-client.ts';

/** Loads samples, each of which must be as its schema says; `query` is what follows the question mark. */
export function sampleClient(url: string, accessToken: string) {
  const api = apiClient(url, accessToken);
  return async (event: string, query: Record<string, string> = {}): Promise<EventBody[]> => {
    const response = await api('GET', `/triggers/${event}/samples?${new URLSearchParams(query)}`);
    if (response.status !== 200)
      throw new Error(`No samples: ${response.status} ${JSON.stringify(response.body)}.`);
    return z.array(anySampleSchema).parse(response.body);
  };
}
