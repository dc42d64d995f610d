import { z } from 'zod';
import type { RecordCheck } from '#server/api/check-record.ts';
import { DESCRIPTION_MAX_LENGTH, URL_MAX_LENGTH } from '#server/automation/webhooks/endpoint-input.ts';
import { findEndpoint } from '#server/automation/webhooks/endpoints.ts';
import { pathParameter } from '#server/contract/fields.ts';
import { ALL_EVENTS, LOGGED_EVENT_KEYS } from '#server/contract/program-events.ts';
import { db } from '#server/core/database/prisma.ts';
import { optionalField } from '#server/developer-api/optional-field.ts';

// The inputs of calls that create and change webhooks. `endpoint-input.ts` checks the values; the bounds here only limit the size.

export const WEBHOOK_ID = 'The id of the webhook.';

/** The webhook that a path names. */
export const WEBHOOK: RecordCheck = {
  what: 'The webhook',
  exists: async (record) => (await findEndpoint(db(), record)) !== null,
};

/** What the list of events of a webhook may contain. */
export const EVENT_CHOICES = [...LOGGED_EVENT_KEYS, ALL_EVENTS] as const;

const URL_PROBLEM = 'The URL (url) must be a text of up to 500 characters.';
const EVENTS_PROBLEM = 'The events must be a list of names of events, up to 100.';
const DESCRIPTION_PROBLEM = 'The description must be a text of up to 200 characters.';
const SKIPS_PROBLEM = 'The field skips_token_id must be the id of an API token or null.';

const url = z.string(URL_PROBLEM).max(2_000, URL_PROBLEM);
const urlTexts = {
  description: 'An `https` address in the public internet.',
  examples: ['https://example.com/webhooks'],
};

const events = z
  .array(z.string(EVENTS_PROBLEM).max(100, EVENTS_PROBLEM), EVENTS_PROBLEM)
  .max(100, EVENTS_PROBLEM);
const eventsTexts = {
  description: 'The events that it gets, at least one, or `*` for all, also those that are added later.',
  examples: [['conversation.created', 'reply.failed']],
};
const eventsSchema = { minItems: 1, items: { type: 'string', enum: [...EVENT_CHOICES] } };

const options = {
  description: z
    .string(DESCRIPTION_PROBLEM)
    .max(2_000, DESCRIPTION_PROBLEM)
    .nullish()
    .transform((text) => text ?? undefined)
    .meta({
      description: 'What it is for. An empty text removes it.',
      examples: ['Warehouse'],
      override: ({ jsonSchema }) => {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, { type: ['string', 'null'], maxLength: DESCRIPTION_MAX_LENGTH });
      },
    }),
  enabled: optionalField(z.boolean('The field enabled must be true or false.'), {
    description: 'A paused webhook that is enabled gets the events from now on.',
    examples: [true],
    schema: { type: ['boolean', 'null'] },
  }),
  skips_token_id: z
    .string(SKIPS_PROBLEM)
    .max(100, SKIPS_PROBLEM)
    .nullable()
    .optional()
    .meta({ description: 'The API token whose own changes it leaves out. `null`: none.', examples: [null] }),
};

export const newWebhook = z.object({
  url: url.meta({ ...urlTexts, override: { maxLength: URL_MAX_LENGTH } }),
  events: events.meta({
    ...eventsTexts,
    override: ({ jsonSchema }) => void Object.assign(jsonSchema, eventsSchema),
  }),
  ...options,
});

export const changedWebhook = z
  .object({
    id: pathParameter(WEBHOOK_ID),
    url: optionalField(url, { ...urlTexts, schema: { type: ['string', 'null'], maxLength: URL_MAX_LENGTH } }),
    events: optionalField(events, { ...eventsTexts, schema: { type: ['array', 'null'], ...eventsSchema } }),
    ...options,
  })
  .refine(({ id: _, ...changed }) => Object.values(changed).some((value) => value !== undefined), {
    message: 'Send at least one of url, events, description, enabled and skips_token_id.',
  });
