export { AutomationError } from './automation-error.ts';
export { type AutomationClient, type ClientOptions, createAutomationClient } from './create-client.ts';
export { dataOf } from './data-of.ts';
export type {
  AutomationEvent,
  Connection,
  Contact,
  Conversation,
  EventKey,
  Hook,
  Message,
  Note,
  Rating,
  Reply,
  Team,
  Teammate,
  TeammateListItem,
} from './records.ts';
export type { components, operations, paths, webhooks } from './schema.ts';
