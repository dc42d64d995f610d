import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { apiOf, credentials, usesToken } from './authentication';
import { callService } from './call-service';
import { isStillSubscribed, subscribe, unsubscribe } from './subscription';
import { triggerProperties } from './trigger-properties';
import { isSigned } from './verify-signature';

/** Trigger node that starts a workflow when a hook or a webhook delivers an event. */
export class SharedInboxTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Shared Inbox Trigger',
    name: 'sharedInboxTrigger',
    icon: { light: 'file:../../icons/shared-inbox.svg', dark: 'file:../../icons/shared-inbox.dark.svg' },
    group: ['trigger'],
    version: [1],
    subtitle: '={{$parameter["event"]}}',
    description: 'Starts the workflow when something happens in a workspace',
    defaults: { name: 'Shared Inbox Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials,
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: triggerProperties,
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return isStillSubscribed(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await subscribe(this);
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await unsubscribe(this);
        return true;
      },
    },
  };

  /** Returns the event. Refuses a webhook without a valid signature, and skips events that the filter leaves out. */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const event = this.getBodyData();
    if (usesToken(this)) {
      if (!isGenuine(this)) return refuse(this);
      if (!isWanted(this, event) || (await isOwn(this, event))) return {};
    }
    return { workflowData: [[{ json: event }]] };
  }
}

function isGenuine(node: IWebhookFunctions): boolean {
  const { webhookSecret } = node.getWorkflowStaticData('node');
  const { rawBody, headers } = node.getRequestObject();
  if (typeof webhookSecret !== 'string' || !Buffer.isBuffer(rawBody)) return false;
  const header = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined);
  return isSigned({ header, body: rawBody }, webhookSecret);
}

function refuse(node: IWebhookFunctions): IWebhookResponseData {
  const message = 'The signature is missing, wrong or older than five minutes.';
  node.getResponseObject().status(401).json({ message });
  return { noWebhookResponse: true };
}

/** Returns whether the event is the node's and passes its filter, as hooks do. A webhook has no filter, and gets test events. */
function isWanted(node: IWebhookFunctions, { type, data = {} }: IDataObject): boolean {
  if (type !== node.getNodeParameter('event')) return false;
  const { conversation, added_tags } = data as { conversation?: IDataObject; added_tags?: string[] };
  const status = node.getNodeParameter('status', '');
  if (type === 'conversation.status_changed' && status) return conversation?.status === status;
  const tag = tagKey(node.getNodeParameter('tag', '') as string);
  if (type === 'conversation.tagged' && tag) return (added_tags ?? []).some((added) => tagKey(added) === tag);
  return true;
}

/**
 * Returns whether the event was caused with the node's token, and is to be ignored. The service leaves out what the token of the
 * activation caused, but the credential may have got another one since, with which the workflow would start itself.
 */
async function isOwn(node: IWebhookFunctions, { caused_by }: IDataObject): Promise<boolean> {
  const cause = caused_by as { type: string; id: string } | null | undefined;
  if (cause?.type !== 'token' || !node.getNodeParameter('ignoreOwnChanges', false)) return false;
  return (await ownTokenId(node)) === cause.id;
}

/** Ids of tokens, so that each is asked for once. */
const tokenIds = new Map<string, string>();

async function ownTokenId(node: IWebhookFunctions): Promise<string> {
  const { token } = await node.getCredentials<{ token: string }>(apiOf(node).credential);
  const known = tokenIds.get(token);
  if (known !== undefined) return known;
  const { id } = await callService<{ id: string }>(node, { method: 'GET', path: '/me' });
  tokenIds.set(token, id);
  return id;
}

/** Tags differ neither in upper and lower case nor in the form of their accents. */
const tagKey = (tag: string) => tag.normalize('NFC').trim().toLowerCase();
