import type { startReceiver } from '#test/servers/receiver.ts';

/** Requests that a receiver keeps waiting for their response. */
export type HeldRequests = {
  /** How many wait now, those included whose sender is gone. */
  open(): number;
  /** Answers all that wait and all that come. */
  letGo(): void;
};

/** Has a receiver keep every request waiting until a test lets them go. */
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
