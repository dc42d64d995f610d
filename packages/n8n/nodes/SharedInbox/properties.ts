import type { INodeProperties } from 'n8n-workflow';

export const resource: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Contact', value: 'contact' },
    { name: 'Conversation', value: 'conversation' },
    { name: 'Message', value: 'message' },
  ],
  default: 'conversation',
};

/** Shows a property for some operations of a resource. */
export const show = (resource: string, ...operation: string[]) => ({
  show: { resource: [resource], operation },
});
