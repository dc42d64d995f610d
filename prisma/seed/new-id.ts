import { v7 } from 'uuid';

/** Returns a UUIDv7 of a past timestamp, so that ids sort like their rows. */
export function newId(moment: Date): string {
  return v7({ msecs: moment.getTime() });
}
