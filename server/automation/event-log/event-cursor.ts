/**
 * Position in the event log of a workspace, after an event or, with `NO_ID`, before the oldest transaction that was open at
 * the read.
 */
export type EventCursor = {
  /** Position of a transaction (`log_position`), as text: it has 64 bits. */
  position: string;
  eventId: string;
  /** When the event was recorded, or of the read, in seconds since 1970. */
  seconds: number;
};

/** Before every event of its transaction. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

const SHAPE = /^(\d{1,19})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,11})$/;

/** Maximum length of a cursor as text, in characters. */
const MAX_LENGTH = 96;

/** Formats a cursor for a client, which cannot read anything into it. */
export function writeEventCursor({ position, eventId, seconds }: EventCursor): string {
  return Buffer.from([position, eventId, seconds].join('-')).toString('base64url');
}

/** Parses a cursor. Returns null when it is invalid. */
export function parseEventCursor(text: string): EventCursor | null {
  if (text.length > MAX_LENGTH) return null;
  const [, position, eventId, seconds] = SHAPE.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (position === undefined || eventId === undefined || BigInt(position) > MAX_POSITION) return null;
  const cursor = { position, eventId, seconds: Number(seconds) };
  return writeEventCursor(cursor) === text ? cursor : null;
}

/** Maximum of PostgreSQL's `bigint`. */
const MAX_POSITION = 2n ** 63n - 1n;
