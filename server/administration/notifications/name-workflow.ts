import type { HookNames } from '#server/administration/notifications/find-hook-names.ts';
import { eventName } from '#server/contract/event-name.ts';

/** Names a workflow by what starts it: `New Conversation`, `Conversation Tagged (vip), connected by Ada`. */
export function nameWorkflow(event: string, names: HookNames | undefined): string {
  const filter = names?.filter ? ` (${names.filter})` : '';
  return `${eventName(event)}${filter}${names ? `, connected by ${names.teammateName}` : ''}`;
}
