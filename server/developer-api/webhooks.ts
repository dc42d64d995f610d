import { z } from 'zod';
import {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  findEndpoint,
  listEndpoints,
  readSecret,
  rotateSecret,
  updateEndpoint,
} from '#server/automation/webhooks/endpoints.ts';
import { pathParameter } from '#server/contract/fields.ts';
import { idField, textField, timestampField } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';
import { pageSchema } from '#server/developer-api/pages.ts';
import {
  developer,
  developerProcedure,
  programActor,
  refuseUnknown,
} from '#server/developer-api/procedures.ts';
import { webhookDeliveryProcedures } from '#server/developer-api/webhook-deliveries.ts';
import {
  changedWebhook,
  EVENT_CHOICES,
  newWebhook,
  WEBHOOK,
  WEBHOOK_ID,
} from '#server/developer-api/webhook-input.ts';
import { auditAuthor } from '#server/teammates/actor.ts';

const UNKNOWN = 'The workspace has no webhook with this id.';

const exampleWebhook = {
  id: '01a4d7f9-0c1d-7e2f-8a3b-4c5d6e7f8091',
  url: 'https://example.com/webhooks',
  events: ['conversation.created' as const, 'reply.failed' as const],
  description: 'Warehouse',
  enabled: true,
  state: 'enabled' as const,
  skips_token_id: null,
  failing_since: null,
  created_at: '2026-11-21T06:29:29.123+00:00',
};

const webhookSchema = z
  .object({
    id: idField('The id of the webhook.'),
    url: textField('The address that events are sent to.'),
    events: z
      .array(z.enum(EVENT_CHOICES))
      .meta({ description: 'The events that it gets. `*`: all, also those that are added later.' }),
    description: textField('What it is for; may be empty.'),
    enabled: z.boolean().meta({ description: 'False while it is disabled or paused.' }),
    state: z.enum(['enabled', 'disabled', 'failing', 'gone']).meta({
      description:
        '`failing`: paused after five days of failures. `gone`: paused because it responded with `410`.',
    }),
    skips_token_id: z
      .uuid()
      .nullable()
      .meta({ description: 'The API token whose own changes it leaves out, if any.' }),
    failing_since: timestampField(
      'The first failed attempt since the last delivered event, if any.',
    ).nullable(),
    created_at: timestampField('When it was created.'),
  })
  .meta({ id: 'Webhook', description: 'A webhook endpoint.', examples: [exampleWebhook] });

const which = z.object({ id: pathParameter(WEBHOOK_ID) });

export const webhookProcedures = developer.router({
  list: developerProcedure('manage_webhooks', {
    method: 'GET',
    path: '/webhooks',
    operationId: 'listWebhooks',
    tags: ['Webhooks'],
    summary: 'List webhooks',
    description: 'Returns the webhooks of the workspace, at most 20, on one page.',
  })
    .input(z.object({}))
    .output(pageSchema(webhookSchema, { id: 'WebhookPage', records: 'webhooks' }))
    .query(async ({ ctx: { program } }) => ({
      data: (await listEndpoints(db(), program.workspace.id)).map(webhookRecord),
      next_cursor: null,
    })),

  get: developerProcedure('manage_webhooks', {
    method: 'GET',
    path: '/webhooks/{id}',
    operationId: 'getWebhook',
    tags: ['Webhooks'],
    summary: 'Get a webhook',
    errorResponses: { 404: UNKNOWN },
  })
    .input(which)
    .output(webhookSchema)
    .query(async ({ ctx: { program }, input }) => {
      const found = await findEndpoint(db(), { workspaceId: program.workspace.id, ...input });
      if (!found) throw notFound('The webhook');
      return webhookRecord(found);
    }),

  create: developerProcedure('manage_webhooks', {
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    tags: ['Webhooks'],
    summary: 'Create a webhook',
    description: 'Its secret is at `GET /webhooks/{id}/secret`.',
    errorResponses: { 422: 'A value is missing or not valid, or the workspace has 20 webhooks.' },
  })
    .input(newWebhook)
    .output(webhookSchema)
    .mutation(({ ctx: { program, transact }, input: { skips_token_id: skipsTokenId, ...wanted } }) =>
      transact(async (tx) => {
        const by = auditAuthor(programActor(program));
        const created = { workspaceId: program.workspace.id, by, skipsTokenId, ...wanted };
        return webhookRecord((await createEndpoint(tx, created)).endpoint);
      }),
    ),

  update: developerProcedure('manage_webhooks', {
    method: 'PATCH',
    path: '/webhooks/{id}',
    operationId: 'updateWebhook',
    tags: ['Webhooks'],
    summary: 'Update a webhook',
    description: 'Changes the fields that are sent.',
    errorResponses: { 404: UNKNOWN, 422: 'No field was sent, or a value is not valid.' },
  })
    .use(refuseUnknown(changedWebhook, WEBHOOK))
    .input(changedWebhook)
    .output(webhookSchema)
    .mutation(({ ctx: { program, transact }, input: { skips_token_id: skipsTokenId, ...wanted } }) =>
      transact(async (tx) => {
        const by = auditAuthor(programActor(program));
        const changed = { workspaceId: program.workspace.id, by, skipsTokenId, ...wanted };
        return webhookRecord(await updateEndpoint(tx, changed));
      }),
    ),

  delete: developerProcedure('manage_webhooks', {
    method: 'DELETE',
    path: '/webhooks/{id}',
    operationId: 'deleteWebhook',
    tags: ['Webhooks'],
    summary: 'Delete a webhook',
    description: 'Nothing more is sent to it.',
    successDescription: 'The webhook was deleted.',
    errorResponses: { 404: UNKNOWN },
  })
    .input(which)
    .output(
      which.meta({
        id: 'DeletedWebhook',
        description: 'A deleted webhook.',
        examples: [{ id: exampleWebhook.id }],
      }),
    )
    .mutation(({ ctx: { program, transact }, input }) =>
      transact(async (tx) => {
        const by = auditAuthor(programActor(program));
        await deleteEndpoint(tx, { workspaceId: program.workspace.id, by, id: input.id });
        return input;
      }),
    ),

  secret: developerProcedure('manage_webhooks', {
    method: 'GET',
    path: '/webhooks/{id}/secret',
    operationId: 'getWebhookSecret',
    tags: ['Webhooks'],
    summary: 'Get the secret of a webhook',
    description: 'Returns the secret that signs its events.',
    errorResponses: { 404: UNKNOWN },
  })
    .input(which)
    .output(
      z.object({ secret: textField('The secret, as libraries of Standard Webhooks take it.') }).meta({
        id: 'WebhookSecret',
        description: 'The secret of a webhook.',
        examples: [{ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
      }),
    )
    .query(async ({ ctx: { program }, input }) => ({
      secret: await readSecret(db(), { workspaceId: program.workspace.id, ...input }),
    })),

  rotate: developerProcedure('manage_webhooks', {
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tags: ['Webhooks'],
    summary: 'Rotate the secret of a webhook',
    description: 'Gives it a new secret. For 24 hours, events are signed with both.',
    errorResponses: { 404: UNKNOWN },
  })
    .input(which)
    .output(webhookSchema)
    .mutation(({ ctx: { program, transact }, input }) =>
      transact(async (tx) => {
        const workspaceId = program.workspace.id;
        await rotateSecret(tx, { workspaceId, by: auditAuthor(programActor(program)), ...input });
        const found = await findEndpoint(tx, { workspaceId, ...input });
        if (!found) throw notFound('The webhook');
        return webhookRecord(found);
      }),
    ),

  ...webhookDeliveryProcedures,
});

function webhookRecord(endpoint: Endpoint): z.infer<typeof webhookSchema> {
  const { id: webhookId, url, events, description, state, skipsTokenId, failingSince, createdAt } = endpoint;
  return {
    id: webhookId,
    url,
    events,
    description,
    enabled: state === 'enabled',
    state,
    skips_token_id: skipsTokenId,
    failing_since: timestampOrNull(failingSince),
    created_at: timestamp(createdAt),
  };
}
