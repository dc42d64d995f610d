import type { HookName } from '#server/screens/integrations/views.ts';

/** A workflow in one line: what starts it, its filter, whose it is. */
export function hookLabel({ eventName, filter, teammateName }: HookName): string {
  return `${eventName}${filter ? `: ${filter}` : ''} (${teammateName})`;
}
