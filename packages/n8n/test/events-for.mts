import type { INodePropertyOptions } from 'n8n-workflow';
import nodes from '../dist/nodes/SharedInbox/SharedInboxTrigger.node.js';

/** Returns the events that the trigger offers with a kind of authentication, in alphabetical order. */
export function eventsFor(authentication: 'oAuth2' | 'apiToken'): string[] {
  const { properties } = new nodes.SharedInboxTrigger().description;
  const event = properties.find(
    ({ name, displayOptions }) =>
      name === 'event' && displayOptions?.show?.authentication?.includes(authentication),
  );
  return ((event?.options ?? []) as INodePropertyOptions[]).map(({ value }) => String(value)).sort();
}
