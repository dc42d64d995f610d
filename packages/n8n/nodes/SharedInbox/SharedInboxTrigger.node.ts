import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { CREDENTIAL, callService } from './call-service';

/** The filter parameter of each event that has one. */
const FILTERS: Record<string, string> = {
  'conversation.status_changed': 'status',
  'conversation.tagged': 'tag',
  'operator.command': 'command',
};

/** Trigger node that starts a workflow when a hook delivers an event. */
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
    credentials: [{ name: CREDENTIAL, required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Event',
        name: 'event',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Conversation Assigned', value: 'conversation.assigned' },
          { name: 'Conversation Status Changed', value: 'conversation.status_changed' },
          { name: 'Conversation Tagged', value: 'conversation.tagged' },
          { name: 'New Contact', value: 'contact.created' },
          { name: 'New Conversation', value: 'conversation.created' },
          { name: 'New Customer Message', value: 'message.received' },
          { name: 'New Satisfaction Rating', value: 'conversation.rated' },
          { name: 'Workflow Command', value: 'operator.command' },
        ],
        default: 'conversation.created',
      },
      {
        displayName: 'Status',
        name: 'status',
        type: 'options',
        options: [
          { name: 'Any', value: '' },
          { name: 'Closed', value: 'closed' },
          { name: 'Open', value: 'open' },
          { name: 'Pending', value: 'pending' },
          { name: 'Solved', value: 'solved' },
        ],
        default: '',
        description: 'Only changes to this status',
        displayOptions: { show: { event: ['conversation.status_changed'] } },
      },
      {
        displayName: 'Tag',
        name: 'tag',
        type: 'string',
        default: '',
        description: 'Only when this tag is added, in upper or lower case. Leave it empty for any tag.',
        displayOptions: { show: { event: ['conversation.tagged'] } },
      },
      {
        displayName: 'Command',
        name: 'command',
        type: 'string',
        default: '',
        placeholder: 'refund',
        description:
          'Lowercase letters, digits, - and _, at most 48 characters, starting with a letter or digit. Leave it empty for every command.',
        displayOptions: { show: { event: ['operator.command'] } },
      },
    ],
  };

  webhookMethods = {
    default: {
      /**
       * Returns true when n8n has only restarted: unsubscribing would drop the events that wait for it. Each other
       * activation subscribes a new hook, because the API cannot tell whether a hook still exists.
       */
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { hookId, targetUrl } = this.getWorkflowStaticData('node');
        const isRestart = ['init', 'leadershipChange'].includes(this.getActivationMode());
        return isRestart && typeof hookId === 'string' && targetUrl === this.getNodeWebhookUrl('default');
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await unsubscribe(this);
        const targetUrl = this.getNodeWebhookUrl('default');
        const event = this.getNodeParameter('event') as string;
        const filter = FILTERS[event];
        const value = filter ? this.getNodeParameter(filter, '') : '';
        const { id } = await callService<{ id: string }>(this, {
          method: 'POST',
          path: '/hooks',
          body: {
            target_url: targetUrl,
            event,
            ...(filter && value !== '' ? { [filter]: value } : {}),
          },
        });
        Object.assign(this.getWorkflowStaticData('node'), { hookId: id, targetUrl });
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await unsubscribe(this);
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return { workflowData: [[{ json: this.getBodyData() as IDataObject }]] };
  }
}

/** Unsubscribes the hook that this node subscribed last, if any. Works even if the hook no longer exists. */
async function unsubscribe(node: IHookFunctions): Promise<void> {
  const staticData = node.getWorkflowStaticData('node');
  if (typeof staticData.hookId !== 'string') return;
  await callService(node, { method: 'DELETE', path: `/hooks/${encodeURIComponent(staticData.hookId)}` });
  delete staticData.hookId;
  delete staticData.targetUrl;
}
