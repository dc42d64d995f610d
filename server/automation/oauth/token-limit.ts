import { addressKey } from '#server/ground/limits/address-key.ts';
import { type LimitState, takeFrom } from '#server/ground/limits/limits.ts';
import {
  isTakenApart,
  limitAfter,
  type Taken,
  takeOne,
  takeWithin,
  windowFrom,
} from '#server/ground/limits/take-within.ts';

/** The limit of one request of the platform (spec.md §8): the first that asks takes from it, and no one after. */
export type TokenLimit = {
  /** Whether it is to be taken from before anything else is done for the request, as by one who was refused before. */
  goesFirst: boolean;
  /** Takes from it, unless that was done; what is left. */
  take(): Promise<LimitState>;
  /**
   * Takes from it within a statement that only reads besides: one that writes would hold the address's row until it is on
   * the disk, and all requests of the platform come from few addresses.
   * @returns what was read; undefined when the limit refuses it
   */
  takeWith<T>(reading: Reading<T>): Promise<T | undefined>;
};

type Reading<T> = {
  /** By the statement with `TAKE_FOR_ADDRESS`, given its parameters. */
  atOnce: (parameters: [key: string, now: number, end: number]) => Promise<{ taken: Taken; value: T }>;
  /** By the same without. */
  apart: () => Promise<T>;
};

/** SQL: a part of a statement that takes from the limit; the three parameters come after one of the statement's own. */
export const TAKE_FOR_ADDRESS = takeOne('token', {
  key: '$2::text',
  from: '(select) one',
  parameters: ['$3', '$4'],
});

/** The limit of a request from an address. */
export function tokenLimit(address: string): TokenLimit {
  const key = addressKey(address);
  let state: LimitState | undefined;
  const take = async () => (state ??= await takeFrom('token', address));
  return {
    goesFirst: isTakenApart(key),
    take,
    async takeWith<T>({ atOnce, apart }: Reading<T>) {
      const inTurn = async () => {
        const limit = await take();
        return { limit, value: limit.allowed ? await apart() : undefined };
      };
      if (state) return (await inTurn()).value;
      const { limit, value } = await takeWithin<{ limit: LimitState; value: T | undefined }>(key, {
        atOnce: async () => {
          const read = await atOnce([key, ...windowFrom('token')]);
          return { limit: limitAfter('token', read.taken), value: read.value };
        },
        inTurn,
      });
      state = limit;
      return limit.allowed ? value : undefined;
    },
  };
}
