import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../../http/bodies.ts';
import { log } from '../../http/log.ts';
import { eventNews } from '../page/render-event.ts';
import type { Platform } from '../platform.ts';
import { runWorkflow } from '../workflows/run-workflow.ts';
import { stopWorkflow } from '../workflows/turn-workflow.ts';
import { type HookRequest, recordAttempt } from './record-attempt.ts';

const HOOK_PATH = /^\/hooks\/standard\/([0-9a-f]{24})\/$/;
/** Additional response headers by status. */
const HEADERS: Record<number, Record<string, string>> = {
  302: { Location: '/elsewhere/' },
  429: { 'Retry-After': '5' },
};

/**
 * Records a request to the hook receiver, and responds in the subscription's response mode. An accepted event then runs
 * its workflow, so a repeated event runs it again. Never throws.
 */
export async function receiveHook(
  platform: Platform,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    await receive(platform, req, res);
  } catch (error) {
    // Usually the sender closed the connection during its body.
    log('hook.broken', { message: error instanceof Error ? error.message : 'unknown' });
    res.destroy();
  }
}

async function receive(platform: Platform, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await readBody(req);
  if (body === null) return respond(res, 413, { message: 'The event is larger than 1 MB.' });
  const key = HOOK_PATH.exec(req.url ?? '')?.[1];
  if (!key) return respond(res, 404, { message: 'There is no hook at this address.' });
  if (req.method !== 'POST')
    return respond(res, 405, { message: 'Send events with POST.' }, { Allow: 'POST' });

  const subscription = platform.state.subscriptions.get(key);
  if (!subscription || subscription.state === 'off') {
    if (subscription) subscription.lateCount += 1;
    log('hook.gone', { late: subscription !== undefined });
    return respond(res, 410, { message: 'This workflow has been turned off.' });
  }
  const mode = subscription.responseMode;
  const status = mode === 'hang' || mode === 'break off' ? mode : Number(mode);
  const event = recordAttempt(platform, subscription, hookRequest(req, body), status);
  log('hook.received', {
    trigger: event.trigger,
    delivery: event.deliveryId,
    attempt: event.attempts.length,
    answered: status,
  });
  platform.stream.send('event', eventNews(subscription, event));
  if (status === 'hang') return;
  if (status === 'break off') {
    res.destroy();
    return;
  }
  const success = status === 200;
  respond(
    res,
    status,
    success ? { status: 'success', id: event.id } : { message: `This workflow responds with ${status}.` },
    HEADERS[status] ?? {},
  );
  const workflow = platform.state.workflows.get(subscription.workflowId ?? '');
  if (success && workflow) await runWorkflow(platform, workflow, event.body);
  if (status === 410 && workflow) stopWorkflow(platform, workflow);
}

function hookRequest(req: IncomingMessage, rawBody: string): HookRequest {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(req.headersDistinct)) headers[name] = values?.join(', ') ?? '';
  return { headers, rawBody };
}

function respond(
  res: ServerResponse,
  status: number,
  body: Record<string, string>,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
