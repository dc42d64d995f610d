import type { components, webhooks } from './schema.ts';

type Schemas = components['schemas'];

export type Connection = Schemas['Connection'];
export type Contact = Schemas['Contact'];
export type Conversation = Schemas['Conversation'];
export type Hook = Schemas['Hook'];
export type Message = Schemas['Message'];
export type Note = Schemas['Note'];
export type Rating = Schemas['Rating'];
export type Reply = Schemas['Reply'];
export type Team = Schemas['Team'];
export type Teammate = Schemas['Teammate'];
export type TeammateListItem = Schemas['TeammateListItem'];

/** Key of an event, for example `conversation.created`. */
export type EventKey = keyof webhooks;

/** The body of a hook's request: for one event, or a union discriminated by `event`. */
export type AutomationEvent<Key extends EventKey = EventKey> = {
  [Each in Key]: webhooks[Each]['post']['requestBody']['content']['application/json'];
}[Key];
