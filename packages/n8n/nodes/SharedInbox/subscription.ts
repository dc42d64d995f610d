import type { IDataObject, IHookFunctions, NodeApiError } from 'n8n-workflow';
import { usesToken } from './authentication';
import { callService, callUnlessMissing } from './call-service';
import { FILTERS } from './trigger-properties';

/** Stored with the workflow. A webhook has a secret, a hook has none. */
type Subscription = { hookId: string; targetUrl: string; webhookSecret?: string };

/** Subscribes the node's address to its event, instead of the subscription that the node had. */
export async function subscribe(node: IHookFunctions): Promise<void> {
  await unsubscribe(node);
  const targetUrl = node.getNodeWebhookUrl('default') ?? '';
  const event = node.getNodeParameter('event') as string;
  const subscription = await (usesToken(node) ? createWebhook : createHook)(node, targetUrl, event);
  Object.assign(node.getWorkflowStaticData('node'), { ...subscription, targetUrl } satisfies Subscription);
}

/** Removes the subscription of the node, if any. Works even if the service has removed it. */
export async function unsubscribe(node: IHookFunctions): Promise<void> {
  const staticData = node.getWorkflowStaticData('node');
  if (typeof staticData.hookId !== 'string') return;
  // Only the credential that subscribed can remove it. A webhook of another one is paused after five days of 401.
  const isWebhook = staticData.webhookSecret !== undefined;
  if (isWebhook === usesToken(node)) await remove(node, staticData.hookId);
  delete staticData.hookId;
  delete staticData.targetUrl;
  delete staticData.webhookSecret;
}

/**
 * Returns whether the subscription from before a restart of n8n is still right: removing it would drop the events that wait for it.
 * A webhook that the service has paused in the meantime gets events again. A hook cannot be read.
 */
export async function isStillSubscribed(node: IHookFunctions): Promise<boolean> {
  const { hookId, targetUrl } = node.getWorkflowStaticData('node');
  const isRestart = ['init', 'leadershipChange'].includes(node.getActivationMode());
  if (!isRestart || typeof hookId !== 'string' || targetUrl !== node.getNodeWebhookUrl('default'))
    return false;
  if (!usesToken(node)) return true;
  const path = webhookPath(hookId);
  const webhook = await callUnlessMissing<{ state: string }>(node, { method: 'GET', path });
  if (webhook && ['failing', 'gone'].includes(webhook.state))
    await callService(node, { method: 'PATCH', path, body: { enabled: true } });
  return webhook !== undefined;
}

async function createHook(node: IHookFunctions, target_url: string, event: string) {
  const filter = FILTERS[event];
  const value = filter ? node.getNodeParameter(filter, '') : '';
  const body = { target_url, event, ...(filter && value !== '' ? { [filter]: value } : {}) } as IDataObject;
  const { id } = await callService<{ id: string }>(node, { method: 'POST', path: '/hooks', body });
  return { hookId: id };
}

async function createWebhook(node: IHookFunctions, url: string, event: string) {
  const skipsOwn = node.getNodeParameter('ignoreOwnChanges', false) as boolean;
  const token = skipsOwn
    ? await callService<{ id: string }>(node, { method: 'GET', path: '/me' })
    : undefined;
  const description = `n8n: ${node.getWorkflow().name ?? node.getNode().name}`.slice(0, 200);
  const body = { url, events: [event], description, skips_token_id: token?.id ?? null };
  const { id } = await callService<{ id: string }>(node, { method: 'POST', path: '/webhooks', body });
  const path = `${webhookPath(id)}/secret`;
  const { secret } = await callService<{ secret: string }>(node, { method: 'GET', path }).catch(
    async (error: NodeApiError) => {
      // Nothing is stored of a webhook without its secret: the next attempt creates another one.
      await remove(node, id).catch(() => undefined);
      return Promise.reject(error);
    },
  );
  return { hookId: id, webhookSecret: secret };
}

async function remove(node: IHookFunctions, id: string): Promise<void> {
  const path = usesToken(node) ? webhookPath(id) : `/hooks/${encodeURIComponent(id)}`;
  await callUnlessMissing(node, { method: 'DELETE', path });
}

const webhookPath = (id: string) => `/webhooks/${encodeURIComponent(id)}`;
