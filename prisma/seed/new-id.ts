import { v7 } from 'uuid';

/** A UUIDv7 of a past moment, so that ids sort like the times of their rows. */
export function newId(moment: Date): string {
  return v7({ msecs: moment.getTime() });
}
