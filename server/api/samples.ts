import { z } from 'zod';
import { api, apiProcedure } from '#server/api/procedures.ts';
import { parseHookFilter } from '#server/automation/hooks/hook-filter.ts';
import type { HookFilter } from '#server/automation/hooks/subscribe-hook.ts';
import { listSamples } from '#server/automation/samples/list-samples.ts';
import { SAMPLES_MAX } from '#server/automation/samples/newest-occurrences.ts';
import { EVENT_KEYS, type EventFilter, type EventKey, isEventKey } from '#server/contract/event-catalogue.ts';
import { anySampleSchema } from '#server/contract/event-schemas.ts';
import { pathParameter } from '#server/contract/fields.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { COMMAND_PATTERN } from '#server/inbox/commands/command-name.ts';

/** A filter. It is only validated if it belongs to the event, so its schema accepts anything. */
const filter = (description: string, rules: { maxLength?: number; pattern?: string; enum?: string[] } = {}) =>
  z
    .unknown()
    .optional()
    .transform((value) => value)
    .meta({ description, override: { type: 'string', ...rules } });

export const eventsApi = api.router({
  listSamples: apiProcedure({
    method: 'GET',
    path: '/triggers/{event}/samples',
    operationId: 'listSamples',
    tags: ['Triggers'],
    summary: 'Load samples of an event',
    description:
      'Up to three recent events of the workspace, newest first, in the format of a delivery, one per ' +
      'conversation or contact. A filter of another event is ignored.',
    errorResponses: {
      404: 'There is no such event.',
      422: 'The filter that belongs to the event is not valid.',
    },
  })
    .input(
      z.object({
        event: pathParameter('The key of the event.').meta({
          override: { type: 'string', enum: [...EVENT_KEYS] },
        }),
        status: filter('Only for conversation.status_changed: only conversations now in this status.', {
          enum: [...Object.values(ConversationStatus), ''],
        }),
        tag: filter('Only for conversation.tagged: only taggings that added this tag.', { maxLength: 40 }),
        command: filter('Only for operator.command: only runs of this command; empty means every command.', {
          pattern: COMMAND_PATTERN,
        }),
      }),
    )
    .output(z.array(anySampleSchema).max(SAMPLES_MAX))
    .query(({ ctx: { caller }, input }) =>
      listSamples({ workspaceId: caller.workspace.id, ...parseTrigger(input) }),
    ),
});

/**
 * Parses the event and the filter that belongs to it.
 * @throws Refusal for an unknown event first, then for an invalid filter
 */
function parseTrigger({ event, ...filterFields }: { event: string } & Record<EventFilter, unknown>): {
  event: EventKey;
  filter: HookFilter;
} {
  if (!isEventKey(event)) throw notFound('The event');
  const read = parseHookFilter(event, filterFields);
  if ('problem' in read) throw invalid({ [read.field]: [read.problem] });
  return { event, filter: read.filter };
}
