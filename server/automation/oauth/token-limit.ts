import { addressKey } from '#server/core/limits/address-key.ts';
import {
  isTakenApart,
  limitAfter,
  type Taken,
  takeInStatement,
  takeWithin,
  windowFrom,
} from '#server/core/limits/consume-within.ts';
import { type LimitState, takeFrom } from '#server/core/limits/limits.ts';

/** The limit of one request of the platform (spec.md §8): the first that asks takes from it, and no one after. */
export type TokenLimit = {
  /** Whether it is to be taken from before anything else is done for the request, as by one who was refused before. */
  goesFirst: boolean;
  /** Takes from it, unless that was done; what is left. */
  take(): Promise<LimitState>;
  /**
   * Takes from it within the statement that does what was asked for. All requests of the platform come from few addresses,
   * and the address's row is held until the statement ends, on the disk if it writes: so it may wait for no other lock.
   * @returns what the statement found; undefined when the limit refuses the request
   */
  takeWith<T>(asking: Asking<T>): Promise<T | undefined>;
};

type Asking<T> = {
  /** By the statement with `takeForAddress`, given its parameters. */
  atOnce: (parameters: [key: string, now: number, end: number]) => Promise<{ taken: Taken; value: T }>;
  /** By the same without. */
  apart: () => Promise<T>;
};

/**
 * SQL: a part of a statement that takes from the limit.
 * @param own how many parameters the statement has before the three of this part
 */
export function takeForAddress(own: number): string {
  return takeInStatement('token', {
    key: `$${own + 1}::text`,
    from: '(select) one',
    parameters: [`$${own + 2}`, `$${own + 3}`],
  });
}

/** The limit of a request from an address. */
export function tokenLimit(address: string): TokenLimit {
  const key = addressKey(address);
  let state: LimitState | undefined;
  const take = async () => (state ??= await takeFrom('token', address));
  return {
    goesFirst: isTakenApart(key),
    take,
    async takeWith<T>({ atOnce, apart }: Asking<T>) {
      const inTurn = async () => {
        const limit = await take();
        return { limit, value: limit.allowed ? await apart() : undefined };
      };
      if (state) return (await inTurn()).value;
      const { limit, value } = await takeWithin<{ limit: LimitState; value: T | undefined }>(key, {
        atOnce: async () => {
          const { taken, value } = await atOnce([key, ...windowFrom('token')]);
          return { limit: limitAfter('token', taken), value };
        },
        inTurn,
      });
      state = limit;
      return limit.allowed ? value : undefined;
    },
  };
}
