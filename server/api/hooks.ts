import { z } from 'zod';
import { api, apiProcedure } from '#server/api/procedures.ts';
import { parseHookFilter } from '#server/automation/hooks/hook-filter.ts';
import { TARGET_URL_MAX_LENGTH } from '#server/automation/hooks/is-platform-hook-url.ts';
import { unsubscribeHook } from '#server/automation/hooks/remove-hooks.ts';
import { subscribeHook } from '#server/automation/hooks/subscribe-hook.ts';
import { EVENT_KEYS, isEventKey } from '#server/contract/event-catalogue.ts';
import { pathParameter, requiredText } from '#server/contract/fields.ts';
import { hookDeletedSchema, hookSchema } from '#server/contract/hook-schema.ts';
import { exampleHook } from '#server/contract/record-examples.ts';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { COMMAND_PATTERN } from '#server/inbox/commands/command-name.ts';

/** A filter. It is only validated if it belongs to the event, so its schema accepts anything. */
const filter = (
  description: string,
  rules: { maxLength?: number; pattern?: string; enum?: (string | null)[] } = {},
) =>
  z
    .unknown()
    .optional()
    .meta({ description, override: { type: ['string', 'null'], ...rules } });

const subscription = z
  .object({
    target_url: requiredText({
      label: 'hook address (target_url)',
      max: TARGET_URL_MAX_LENGTH,
      description:
        'The address that receives the events: an https address on the platform’s hook host, without a port.',
    }),
    event: requiredText({
      label: 'event',
      max: 60,
      description: 'The event to listen for.',
    }).meta({ override: { type: 'string', enum: [...EVENT_KEYS] } }),
    status: filter('Only for `conversation.status_changed`: only changes to this status.', {
      enum: [...Object.values(ConversationStatus), '', null],
    }),
    tag: filter(
      'Only for `conversation.tagged`: only when this tag is among the added ones, in upper or lower case.',
      { maxLength: 40 },
    ),
    command: filter(
      'Only for `operator.command`: only this command. Letters, digits, `-` and `_`, starting with a letter or digit, ' +
        'at most 48. A leading `/` is removed, and uppercase becomes lowercase. Without it, every command.',
      { pattern: COMMAND_PATTERN },
    ),
  })
  .transform(({ event, target_url, ...filterFields }, context) => {
    if (!isEventKey(event)) {
      const message = `The event must be one of ${EVENT_KEYS.join(', ')}.`;
      context.addIssue({ code: 'custom', path: ['event'], message });
      return z.NEVER;
    }
    const read = parseHookFilter(event, filterFields);
    if ('problem' in read) {
      context.addIssue({ code: 'custom', path: [read.field], message: read.problem });
      return z.NEVER;
    }
    return { event, targetUrl: target_url, filter: read.filter };
  })
  .meta({
    examples: [{ target_url: exampleHook.target_url, event: exampleHook.event, status: exampleHook.status }],
  });

export const hooksApi = api.router({
  subscribe: apiProcedure({
    method: 'POST',
    path: '/hooks',
    operationId: 'subscribeHook',
    tags: ['Hooks'],
    summary: 'Subscribe a hook',
    description:
      'Sends matching events to `target_url` from now on, until the hook is unsubscribed, its address ' +
      'returns `410`, 50 deliveries in a row fail, or the connection ends. A filter of another event ' +
      'is ignored. Without a filter, every event matches. Subscribing twice creates two hooks. A ' +
      'workspace can have at most 500.',
    successDescription: 'The hook is live.',
    errorResponses: {
      422:
        'The address is not one of the platform’s, the event is unknown, the filter is not valid, or ' +
        'the workspace already has 500 live hooks.',
    },
  })
    .input(subscription)
    .output(hookSchema)
    .mutation(({ ctx: { caller, write }, input }) =>
      write((tx) =>
        subscribeHook(tx, {
          workspaceId: caller.workspace.id,
          connectionId: caller.connectionId,
          ...input,
        }),
      ),
    ),

  unsubscribe: apiProcedure({
    method: 'DELETE',
    path: '/hooks/{id}',
    operationId: 'unsubscribeHook',
    tags: ['Hooks'],
    summary: 'Unsubscribe a hook',
    description:
      'Stops deliveries to the hook. A hook that was already removed, one of another workspace, and an ' +
      'invalid id return the same response, so the call can be repeated.',
    successDescription: 'No hook with this id is live.',
  })
    .input(z.object({ id: pathParameter('The id of the hook.') }))
    .output(hookDeletedSchema)
    .mutation(({ ctx: { caller }, input }) =>
      unsubscribeHook({ workspaceId: caller.workspace.id, id: input.id }),
    ),
});
