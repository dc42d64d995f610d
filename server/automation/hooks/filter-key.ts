import type { HookFilter } from '#server/automation/hooks/subscribe-hook.ts';

/** The one filter that may be set, as events are compared with it: a tag in lowercase. Null lets all through. */
export function filterKey({ status, tag, command }: HookFilter): string | null {
  return status ?? command ?? tag?.toLowerCase() ?? null;
}
