/** Cursor of a page: the timestamp of its last row in µs since the epoch (as text, a `Date` has no µs), with the id as tie-breaker. */
export type LogCursor = { micros: string; id: string };

const SHAPE = /^(\d{1,16})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Formats a cursor for a URL. */
export function writeCursor({ micros, id }: LogCursor): string {
  return `${micros}-${id}`;
}

/** Parses a cursor of a URL. Returns null when it is invalid. */
export function parseCursor(text: string | undefined): LogCursor | null {
  const [, micros, id] = SHAPE.exec(text ?? '') ?? [];
  return micros === undefined || id === undefined ? null : { micros, id };
}
