import { z } from 'zod';
import type { ChoiceSource } from '../catalogue/step-types.ts';
import type { Platform } from '../platform.ts';
import type { Connection } from '../state.ts';
import { messageOf, succeeded } from './answer.ts';
import { callService } from './call-service.ts';

export type Choices = { choices: { value: string; label: string }[] } | { problem: string };

const listed = z.array(z.object({ id: z.string(), name: z.string(), role: z.string().optional() }));

/** The choices of a dropdown: teammates from `/users`, teams from `/teams`, in the service's order. */
export async function loadChoices(
  platform: Platform,
  connection: Connection,
  source: ChoiceSource,
): Promise<Choices> {
  const answer = await callService(platform, connection, { method: 'GET', path: `/${source}` });
  if (!succeeded(answer)) return { problem: messageOf(answer) };
  const items = listed.safeParse(answer.body);
  if (!items.success) return { problem: 'The answer is not a list of choices.' };
  return {
    choices: items.data.map(({ id, name, role }) => ({ value: id, label: role ? `${name}, ${role}` : name })),
  };
}
