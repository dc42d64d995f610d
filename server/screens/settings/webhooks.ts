import { z } from 'zod';
import { listTokens } from '#server/automation/tokens/api-tokens.ts';
import {
  listEndpointDeliveries,
  readEndpointDelivery,
} from '#server/automation/webhooks/endpoint-deliveries.ts';
import { DESCRIPTION_MAX_LENGTH, URL_MAX_LENGTH } from '#server/automation/webhooks/endpoint-input.ts';
import {
  createEndpoint,
  deleteEndpoint,
  ENDPOINTS_MAX,
  findEndpoint,
  listEndpoints,
  readSecret,
  rotateSecret,
  updateEndpoint,
} from '#server/automation/webhooks/endpoints.ts';
import { replayEvents, resendDelivery, sendTestEvent } from '#server/automation/webhooks/send-again.ts';
import { LOGGED_EVENT_KEYS } from '#server/contract/program-events.ts';
import { keyInput, textInput } from '#server/contract/text-input.ts';
import { parseCursor, writeCursor } from '#server/core/cursor.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { adminProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { WebhooksView, WebhookView } from '#server/screens/settings/views.ts';
import { asManager } from '#server/teammates/require-role.ts';

const PAGE_ROWS = 25;

const id = keyInput;
const form = z.object({
  url: textInput(URL_MAX_LENGTH, 'URL'),
  description: textInput(DESCRIPTION_MAX_LENGTH),
  events: z.array(textInput(100, 'event')).max(LOGGED_EVENT_KEYS.length + 1),
  skipsTokenId: keyInput,
});

/** Webhook endpoints, for owners and admins. */
export const webhookScreens = screenRouter({
  list: adminProcedure.query(async ({ ctx: { workspace } }): Promise<WebhooksView> => {
    const [endpoints, tokens] = await Promise.all([
      listEndpoints(db(), workspace.id),
      listTokens(db(), workspace.id),
    ]);
    return { endpoints, endpointsMax: ENDPOINTS_MAX, choices: choicesOf(tokens) };
  }),
  get: adminProcedure
    .input(z.object({ id, cursor: keyInput.optional(), deliveryId: keyInput.optional() }))
    .query(async ({ ctx: { workspace }, input }): Promise<WebhookView | null> => {
      const which = { workspaceId: workspace.id, id: input.id };
      const endpoint = await findEndpoint(db(), which);
      if (!endpoint) return null;
      const cursor = parseCursor(input.cursor ?? '') ?? undefined;
      const [secret, found, details, tokens] = await Promise.all([
        readSecret(db(), which),
        listEndpointDeliveries(db(), { ...which, cursor, limit: PAGE_ROWS + 1 }),
        input.deliveryId ? readEndpointDelivery(db(), { ...which, deliveryId: input.deliveryId }) : null,
        listTokens(db(), workspace.id),
      ]);
      const page = found.slice(0, PAGE_ROWS);
      const last = page.at(-1);
      return {
        endpoint,
        secret,
        choices: choicesOf(tokens),
        deliveries: page.map(({ item }) => item),
        older: last && found.length > PAGE_ROWS ? writeCursor(last.position) : null,
        details,
        historyDays: settings().HISTORY_DAYS,
      };
    }),
  create: adminProcedure.input(form).mutation(async ({ ctx: { workspace, user }, input }) => {
    const who = { workspaceId: workspace.id, by: user };
    const { endpoint } = await asManager(who, (tx) => createEndpoint(tx, { ...who, ...fieldsOf(input) }));
    return { id: endpoint.id };
  }),
  update: adminProcedure.input(form.extend({ id })).mutation(async ({ ctx: { workspace, user }, input }) => {
    const who = { workspaceId: workspace.id, by: user };
    await asManager(who, (tx) => updateEndpoint(tx, { ...who, id: input.id, ...fieldsOf(input) }));
    return { id: input.id };
  }),
  setEnabled: adminProcedure
    .input(z.object({ id, enabled: z.boolean() }))
    .mutation(async ({ ctx: { workspace, user }, input }) => {
      const who = { workspaceId: workspace.id, by: user };
      await asManager(who, (tx) => updateEndpoint(tx, { ...who, ...input }));
    }),
  rotate: adminProcedure.input(z.object({ id })).mutation(async ({ ctx: { workspace, user }, input }) => {
    const who = { workspaceId: workspace.id, by: user };
    await asManager(who, (tx) => rotateSecret(tx, { ...who, ...input }));
  }),
  delete: adminProcedure.input(z.object({ id })).mutation(async ({ ctx: { workspace, user }, input }) => {
    const who = { workspaceId: workspace.id, by: user };
    await asManager(who, (tx) => deleteEndpoint(tx, { ...who, ...input }));
  }),
  test: adminProcedure.input(z.object({ id })).mutation(({ ctx: { workspace, user }, input }) => {
    const who = { workspaceId: workspace.id, by: user };
    return asManager(who, (tx) => sendTestEvent(tx, { ...who, ...input }));
  }),
  resend: adminProcedure
    .input(z.object({ id, deliveryId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) => {
      const who = { workspaceId: workspace.id, by: user };
      return asManager(who, (tx) => resendDelivery(tx, { workspaceId: workspace.id, ...input }));
    }),
  replay: adminProcedure
    .input(
      z.object({
        id,
        hours: z
          .int()
          .min(1)
          .max(24 * 3650),
      }),
    )
    .mutation(async ({ ctx: { workspace, user }, input: { id: endpointId, hours } }) => {
      const who = { workspaceId: workspace.id, by: user };
      const since = new Date(Date.now() - hours * HOUR_MS);
      await asManager(who, (tx) => replayEvents(tx, { ...who, id: endpointId, since }));
    }),
});

const HOUR_MS = 3_600_000;

function choicesOf(tokens: Awaited<ReturnType<typeof listTokens>>): WebhooksView['choices'] {
  return {
    events: LOGGED_EVENT_KEYS.toSorted(),
    tokens: tokens.map(({ id: tokenId, label }) => ({ id: tokenId, label })),
  };
}

function fieldsOf({ skipsTokenId, url, description, events }: z.infer<typeof form>) {
  return { url, description, events, skipsTokenId: skipsTokenId === '' ? null : skipsTokenId };
}
