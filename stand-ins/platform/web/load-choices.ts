import { z } from 'zod';
import type { ChoiceSource } from '../catalogue/step-types.ts';
import type { Platform } from '../platform.ts';
import { callService } from '../service/call-service.ts';
import { messageOf, succeeded } from '../service/service-response.ts';
import type { Connection } from '../state.ts';

export type Choices = { choices: { value: string; label: string }[] } | { problem: string };

const listed = z.array(z.object({ id: z.string(), name: z.string(), role: z.string().optional() }));

/** The choices of a dropdown: teammates from `/users`, teams from `/teams`, in the service's order. */
export async function loadChoices(
  platform: Platform,
  connection: Connection,
  source: ChoiceSource,
): Promise<Choices> {
  const response = await callService(platform, connection, { method: 'GET', path: `/${source}` });
  if (!succeeded(response)) return { problem: messageOf(response) };
  const items = listed.safeParse(response.body);
  if (!items.success) return { problem: 'The answer is not a list of choices.' };
  return {
    choices: items.data.map(({ id, name, role }) => ({ value: id, label: role ? `${name}, ${role}` : name })),
  };
}
