import { z } from 'zod';
import {
  DELIVERY_STATES,
  type EndpointDelivery,
  listEndpointDeliveries,
  readEndpointDelivery,
} from '#server/automation/webhooks/endpoint-deliveries.ts';
import { findEndpoint } from '#server/automation/webhooks/endpoints.ts';
import { replayEvents, resendDelivery, sendTestEvent } from '#server/automation/webhooks/send-again.ts';
import { pathParameter } from '#server/contract/fields.ts';
import { idField, textField, timestampField } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';
import { pageOf, pageQuery, pageSchema } from '#server/developer-api/pages.ts';
import { developerProcedure, programActor, refuseUnknown } from '#server/developer-api/procedures.ts';
import { WEBHOOK, WEBHOOK_ID } from '#server/developer-api/webhook-input.ts';
import { AttemptOutcome } from '#server/generated/prisma/enums.ts';
import { auditAuthor } from '#server/teammates/actor.ts';

const id = pathParameter(WEBHOOK_ID);
const deliveryId = pathParameter('The id of the delivery.');
const UNKNOWN = 'The workspace has no webhook with this id.';
const UNKNOWN_DELIVERY = 'The webhook has no delivery with this id.';
const NOT_ENABLED = 'The webhook is not enabled';

const exampleDelivery = {
  id: '01a4d7fa-1b2c-7d3e-8f40-516273849506',
  event_id: '01a4d7f5-8172-7243-9596-2a3b4c5d6e7f',
  type: 'reply.failed',
  state: 'delivered' as const,
  attempts: 1,
  last_status: 204,
  last_error: null,
  next_attempt_at: null,
  created_at: '2026-11-21T06:31:02.480+00:00',
};

const deliverySchema = z
  .object({
    id: idField('The id of the delivery.'),
    event_id: idField('The id of the event.'),
    type: textField('The type of the event.'),
    state: z.enum(DELIVERY_STATES).meta({
      description:
        '`pending`: its next attempt is due or planned. `cancelled`: the webhook was disabled or paused before it was delivered.',
    }),
    attempts: z.number().int().meta({ description: 'The number of attempts.' }),
    last_status: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The status of the last response, if there was one.' }),
    last_error: z.string().nullable().meta({ description: 'Why the last attempt had no response, if so.' }),
    next_attempt_at: timestampField('When it is tried again, if it is.').nullable(),
    created_at: timestampField('When the event was recorded for the webhook.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'A delivery of an event.', examples: [exampleDelivery] });

const exampleDetails = {
  id: exampleDelivery.id,
  request: {
    url: 'https://example.com/webhooks',
    headers: { 'content-type': 'application/json', 'webhook-id': exampleDelivery.event_id },
    body: '{"id":"01a4d7f5-8172-7243-9596-2a3b4c5d6e7f"}',
  },
  attempts: [
    {
      number: 1,
      started_at: '2026-11-21T06:31:02.510+00:00',
      duration_ms: 84,
      outcome: 'delivered' as const,
      status: 204,
      error: null,
      response: '',
    },
  ],
};

const detailsSchema = z
  .object({
    id: idField('The id of the delivery.'),
    request: z
      .object({
        url: textField('The address of the webhook now.'),
        headers: z
          .record(z.string(), z.string())
          .meta({ description: 'The headers, without the signature.' }),
        body: textField('The body. Empty if the event is about a spam or deleted conversation.'),
      })
      .meta({ description: 'The request of the last attempt.' }),
    attempts: z
      .array(
        z.object({
          number: z.number().int().meta({ description: 'Counts from 1.' }),
          started_at: timestampField('When it started.'),
          duration_ms: z.number().int().meta({ description: 'Its duration in milliseconds.' }),
          outcome: z.enum(AttemptOutcome).meta({ description: 'Its result.' }),
          status: z.number().int().nullable().meta({ description: 'The status of the response, if any.' }),
          error: z.string().nullable().meta({ description: 'Why there was no response, if so.' }),
          response: z.string().nullable().meta({ description: 'The start of the body of the response.' }),
        }),
      )
      .meta({ description: 'The newest 50 attempts, newest first.' }),
  })
  .meta({
    id: 'WebhookDeliveryDetails',
    description: 'A delivery with its request and attempts.',
    examples: [exampleDetails],
  });

const acceptedSchema = z.object({ id: idField('The id of the delivery.') }).meta({
  id: 'QueuedDelivery',
  description: 'A delivery that is being sent.',
  examples: [{ id: exampleDelivery.id }],
});

const deliveriesQuery = z.object({ id, ...pageQuery });

const SINCE_PROBLEM = 'The time (since) must be ISO 8601 with an offset, such as 2026-11-21T06:00:00Z.';

const replayInput = z.object({
  id,
  since: z.iso.datetime({ offset: true, error: SINCE_PROBLEM }).meta({
    description: 'The time, at most `HISTORY_DAYS` ago.',
    examples: ['2026-11-21T06:00:00Z'],
  }),
});

/** Procedures about the deliveries of a webhook. */
export const webhookDeliveryProcedures = {
  deliveries: developerProcedure('manage_webhooks', {
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    operationId: 'listWebhookDeliveries',
    tags: ['Webhooks'],
    summary: 'List deliveries',
    description: 'Returns the deliveries of a webhook, newest first.',
    errorResponses: { 404: UNKNOWN, 422: 'The cursor or the limit is not valid.' },
  })
    .use(refuseUnknown(deliveriesQuery, WEBHOOK))
    .input(deliveriesQuery)
    .output(pageSchema(deliverySchema, { id: 'WebhookDeliveryPage', records: 'deliveries' }))
    .query(async ({ ctx: { program }, input: { limit, ...which } }) => {
      const workspaceId = program.workspace.id;
      const [endpoint, found] = await Promise.all([
        findEndpoint(db(), { workspaceId, id: which.id }),
        listEndpointDeliveries(db(), { workspaceId, ...which, limit: limit + 1 }),
      ]);
      if (!endpoint) throw notFound('The webhook');
      return pageOf(
        found.map(({ item, position }) => ({ item: deliveryRecord(item), position })),
        limit,
      );
    }),

  delivery: developerProcedure('manage_webhooks', {
    method: 'GET',
    path: '/webhooks/{id}/deliveries/{delivery_id}',
    operationId: 'getWebhookDelivery',
    tags: ['Webhooks'],
    summary: 'Get a delivery',
    description: 'Returns the request and the attempts of a delivery.',
    errorResponses: { 404: UNKNOWN_DELIVERY },
  })
    .input(z.object({ id, delivery_id: deliveryId }))
    .output(detailsSchema)
    .query(async ({ ctx: { program }, input }) => {
      const which = { workspaceId: program.workspace.id, id: input.id, deliveryId: input.delivery_id };
      const found = await readEndpointDelivery(db(), which);
      if (!found) throw notFound('The delivery');
      return {
        ...found,
        attempts: found.attempts.map(({ startedAt, durationMs, statusCode, ...attempt }) => ({
          ...attempt,
          started_at: timestamp(startedAt),
          duration_ms: durationMs,
          status: statusCode,
        })),
      };
    }),

  resend: developerProcedure('manage_webhooks', {
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery_id}/resend',
    operationId: 'resendWebhookDelivery',
    tags: ['Webhooks'],
    summary: 'Send an event again',
    description: 'Sends the event once more, with the same id and body and a full schedule of attempts.',
    errorResponses: {
      404: UNKNOWN_DELIVERY,
      422: `${NOT_ENABLED}, the event is being sent already, or it is about a spam or deleted conversation.`,
    },
  })
    .input(z.object({ id, delivery_id: deliveryId }))
    .output(acceptedSchema)
    .mutation(({ ctx: { program, transact }, input }) =>
      transact((tx) =>
        resendDelivery(tx, {
          workspaceId: program.workspace.id,
          id: input.id,
          deliveryId: input.delivery_id,
        }),
      ),
    ),

  test: developerProcedure('manage_webhooks', {
    method: 'POST',
    path: '/webhooks/{id}/test',
    operationId: 'testWebhook',
    tags: ['Webhooks'],
    summary: 'Send a test event',
    description: 'Sends an event of the type `webhook.test`, which is not in the event log.',
    errorResponses: { 404: UNKNOWN, 422: `${NOT_ENABLED}.` },
  })
    .input(z.object({ id }))
    .output(acceptedSchema)
    .mutation(({ ctx: { program, transact }, input }) =>
      transact((tx) => {
        const by = auditAuthor(programActor(program));
        return sendTestEvent(tx, { workspaceId: program.workspace.id, by, ...input });
      }),
    ),

  replay: developerProcedure('manage_webhooks', {
    method: 'POST',
    path: '/webhooks/{id}/replay',
    operationId: 'replayWebhook',
    tags: ['Webhooks'],
    summary: 'Replay events',
    description:
      'Sends all events since a time that the webhook listens for and has not received, oldest first.',
    errorResponses: { 404: UNKNOWN, 422: `${NOT_ENABLED}, or the time is not valid or too long ago.` },
  })
    .use(refuseUnknown(replayInput, WEBHOOK))
    .input(replayInput)
    .output(
      z.object({ id: idField('The id of the webhook.'), since: timestampField('The time.') }).meta({
        id: 'WebhookReplay',
        description: 'A replay that has started.',
        examples: [{ id: '01a4d7f9-0c1d-7e2f-8a3b-4c5d6e7f8091', since: '2026-11-21T06:00:00.000+00:00' }],
      }),
    )
    .mutation(({ ctx: { program, transact }, input }) =>
      transact(async (tx) => {
        const since = new Date(input.since);
        const by = auditAuthor(programActor(program));
        await replayEvents(tx, { workspaceId: program.workspace.id, id: input.id, by, since });
        return { id: input.id, since: timestamp(since) };
      }),
    ),
};

function deliveryRecord(delivery: EndpointDelivery): z.infer<typeof deliverySchema> {
  const { eventId, nextAttemptAt, createdAt, lastStatus, lastError, ...rest } = delivery;
  return {
    ...rest,
    event_id: eventId,
    last_status: lastStatus,
    last_error: lastError,
    next_attempt_at: timestampOrNull(nextAttemptAt),
    created_at: timestamp(createdAt),
  };
}
