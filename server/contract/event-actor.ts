/** Who causes events, as the event log shows it. `automation`: a flow of the workspace, or the service itself, which has no name. */
export const EVENT_ACTORS = ['teammate', 'contact', 'ai_agent', 'automation', 'platform', 'program'] as const;

/** Who caused an event. */
export type EventActor = {
  type: (typeof EVENT_ACTORS)[number];
  /** Id of the teammate, of the contact or of the API token. The platform acts as a teammate. */
  id: string | null;
  name: string | null;
};

/** An actor, with the connection or API token through which it acted. */
export type EventCause = { actor: EventActor; causeId?: string | undefined };
