/** At most so many samples of an event (spec.md §8). */
export const SAMPLES_MAX = 3;

/** Something that happened in a workspace, as the payload of its event would show it today. */
export type Occurrence<Payload> = { occurredAt: Date; payload: Payload };
