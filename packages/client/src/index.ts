export { AutomationError } from './automation-error.ts';
export {
  type AutomationClient,
  type ClientOptions,
  createAutomationClient,
  createDeveloperClient,
  type DeveloperClient,
  type DeveloperClientOptions,
} from './create-client.ts';
export { dataOf } from './data-of.ts';
export type { components as DeveloperComponents, paths as DeveloperPaths } from './developer-schema.ts';
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
export { uploadFile } from './upload-file.ts';
