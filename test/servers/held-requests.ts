import type { startReceiver } from '#test/servers/receiver.ts';

/** Requests that wait for a receiver's response. */
export type HeldRequests = {
  /** Returns the number of waiting requests, including those whose sender has disconnected. */
  open(): number;
  /** Returns the largest number of requests that waited at a time. */
  most(): number;
  /** Answers the oldest waiting requests. */
  answer(count: number): void;
  /** Answers all waiting and all further requests. */
  release(): void;
};

/** Makes a receiver hold every request until a test releases them. */
export function holdRequests(receiver: Awaited<ReturnType<typeof startReceiver>>): HeldRequests {
  const held: (() => void)[] = [];
  let most = 0;
  receiver.respond(
    () =>
      new Promise((resolve) => {
        held.push(() => resolve({ status: 200 }));
        most = Math.max(most, held.length);
      }),
  );
  const answer = (count: number) => {
    for (const respond of held.splice(0, count)) respond();
  };
  return {
    open: () => held.length,
    most: () => most,
    answer,
    release: () => {
      receiver.respond(() => ({ status: 200 }));
      answer(held.length);
    },
  };
}
