/** Where a page of the log ended: its last row. `micros` counts from 1970, as no number of JavaScript's could. */
export type LogCursor = { micros: string; id: string };

const SHAPE = /^(\d{1,16})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A cursor as it is in an address. */
export function writeCursor({ micros, id }: LogCursor): string {
  return `${micros}-${id}`;
}

/** Reads a cursor from an address; null for what is none. */
export function parseCursor(text: string | undefined): LogCursor | null {
  const [, micros, id] = SHAPE.exec(text ?? '') ?? [];
  return micros === undefined || id === undefined ? null : { micros, id };
}
