import type { startReceiver } from '#test/servers/receiver.ts';

/** Requests that wait for a receiver's response. */
export type HeldRequests = {
  /** Returns the number of waiting requests, including those whose sender has disconnected. */
  open(): number;
  /** Answers all waiting and all further requests. */
  letGo(): void;
};

/** Makes a receiver hold every request until a test releases them. */
export function holdRequests(receiver: Awaited<ReturnType<typeof startReceiver>>): HeldRequests {
  const held: (() => void)[] = [];
  receiver.respond(() => new Promise((resolve) => held.push(() => resolve({ status: 200 }))));
  return {
    open: () => held.length,
    letGo: () => {
      receiver.respond(() => ({ status: 200 }));
      for (const respond of held.splice(0)) respond();
    },
  };
}
