import { z } from 'zod';
import { EVENT_KEYS, isEventKey } from '#server/events/catalogue.ts';
import { readHookFilter } from '#server/hooks/hook-filter.ts';
import { TARGET_URL_MAX_LENGTH } from '#server/hooks/is-platform-hook-url.ts';
import { subscribeHook } from '#server/hooks/subscribe-hook.ts';
import { unsubscribeHook } from '#server/hooks/unsubscribe-hook.ts';
import { pathParameter, requiredText } from '#server/rest/fields.ts';
import { hookSchema } from '#server/rest/record-schemas.ts';
import { apiProcedure, apiRouter } from '#server/trpc.ts';

const filter = (description: string) =>
  z.unknown().meta({ description, override: { type: ['string', 'null'] } });

const subscription = z
  .object({
    target_url: requiredText({
      label: 'hook address (target_url)',
      max: TARGET_URL_MAX_LENGTH,
      description: 'Where events are sent: an https address on the platform’s hook host, without a port.',
    }),
    event: requiredText({
      label: 'event',
      max: 60,
      description: `One of ${EVENT_KEYS.join(', ')}.`,
      example: 'conversation.created',
    }),
    status: filter('Only for conversation.status_changed: only changes to this status.'),
    tag: filter(
      'Only for conversation.tagged: only when this tag is among the added ones. At most 40 characters.',
    ),
    command: filter('Only for operator.command: only this command; empty means every command.'),
  })
  .transform(({ event, target_url, ...given }, context) => {
    if (!isEventKey(event)) {
      const message = `The event must be one of ${EVENT_KEYS.join(', ')}.`;
      context.addIssue({ code: 'custom', path: ['event'], message });
      return z.NEVER;
    }
    const read = readHookFilter(event, { status: given.status, tag: given.tag, command: given.command });
    if ('problem' in read) {
      context.addIssue({ code: 'custom', path: [read.field], message: read.problem });
      return z.NEVER;
    }
    return { event, targetUrl: target_url, filter: read.filter };
  });

/** Hooks, as the platform sees them. */
export const hooksApi = apiRouter({
  subscribe: apiProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/hooks',
        operationId: 'subscribeHook',
        tags: ['Hooks'],
        summary: 'Subscribe a hook',
        description:
          'Events that match are sent to the target url from now on. A workspace holds 500 live hooks.',
      },
    })
    .input(subscription)
    .output(hookSchema)
    .mutation(({ ctx: { caller }, input }) =>
      subscribeHook({ workspaceId: caller.workspace.id, connectionId: caller.connectionId, ...input }),
    ),

  unsubscribe: apiProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/hooks/{id}',
        operationId: 'unsubscribeHook',
        tags: ['Hooks'],
        summary: 'Unsubscribe a hook',
        description: 'Answers the same for a hook that is already gone or not of this workspace.',
      },
    })
    .input(z.object({ id: pathParameter('The id of the hook.') }))
    .output(z.object({ id: z.string(), deleted: z.literal(true) }))
    .mutation(({ ctx: { caller }, input }) =>
      unsubscribeHook({ workspaceId: caller.workspace.id, id: input.id }),
    ),
});
