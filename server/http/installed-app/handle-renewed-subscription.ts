import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  renewedSubscriptionInput,
  renewPushDevice,
} from '#server/administration/notifications/push-devices.ts';
import { refusalIn } from '#server/core/errors.ts';
import { readJsonBody } from '#server/http/request/read-body.ts';
import { headersOf, isCrossSite } from '#server/http/request/request-parts.ts';
import { withSessionSlot } from '#server/http/request/session-slots.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { PAGE_REFUSALS } from '#server/screens/page-refusals.ts';
import { findSignedIn, readSessionToken } from '#server/teammates/signed-in.ts';

/** Path to which the service worker posts a subscription that replaces another one. It knows no open workspace. */
export const RENEWED_SUBSCRIPTION_PATH = '/push-subscription';

/** Stores the renewed subscription of a browser. Responds `404` when the signed-in teammate had none there. */
export async function handleRenewedSubscription(req: IncomingMessage, res: ServerResponse): Promise<void> {
  res.setHeader('Cache-Control', 'private, no-store');
  if (isCrossSite(req)) return sendJson(res, 403, { message: PAGE_REFUSALS.otherSite });
  const headers = headersOf(req);
  const session = await readSessionToken(headers);
  if (session === null) return sendJson(res, 401, { message: PAGE_REFUSALS.signedOut });
  await withSessionSlot(session, () => renew(req, res, headers));
}

async function renew(req: IncomingMessage, res: ServerResponse, headers: Headers): Promise<void> {
  const body = await readJsonBody(req);
  if (body.kind === 'too_large') return sendJson(res, 413, { message: PAGE_REFUSALS.tooLarge });
  const parsed = renewedSubscriptionInput.safeParse(body.kind === 'object' ? body.value : null);
  if (!parsed.success) return sendJson(res, 422, { message: 'This is no subscription.' });
  const signedIn = await findSignedIn(headers);
  if (!signedIn) return sendJson(res, 401, { message: PAGE_REFUSALS.signedOut });
  const { user, sessionId } = signedIn;
  const device = { userId: user.id, sessionId, userAgent: headers.get('user-agent'), ...parsed.data };
  try {
    if (await renewPushDevice(device)) return sendJson(res, 200, {});
    sendJson(res, 404, { message: 'This browser gets no push notifications of yours.' });
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    sendJson(res, 422, { message: refusal.message });
  }
}
