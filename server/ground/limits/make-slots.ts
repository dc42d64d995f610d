/** Takes one of the slots of a key; undefined when none became free in time. What it returns gives the slot back. */
export type TakeSlot = (key: string) => Promise<(() => void) | undefined>;

type Slots = { taken: number; waiting: (() => void)[] };

/**
 * Lets at most `max` of each key be under way at once in this process. Of those that come besides, `waitingMax` wait in
 * line for `waitMs` milliseconds: a page that asks for six pictures at once gets six.
 */
export function makeSlots({
  max,
  waitingMax,
  waitMs,
}: {
  max: number;
  waitingMax: number;
  waitMs: number;
}): TakeSlot {
  const keys = new Map<string, Slots>();
  return async (key) => {
    const slots = keys.get(key) ?? { taken: 0, waiting: [] };
    keys.set(key, slots);
    if (slots.taken < max) slots.taken += 1;
    else if (slots.waiting.length >= waitingMax || !(await waitInLine(slots, waitMs))) return undefined;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = slots.waiting.shift();
      if (next) return next();
      slots.taken -= 1;
      if (slots.taken === 0) keys.delete(key);
    };
  };
}

/** The slot of who goes passes to who waited longest. */
function waitInLine({ waiting }: Slots, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const enter = () => {
      clearTimeout(patience);
      resolve(true);
    };
    const patience = setTimeout(() => {
      waiting.splice(waiting.indexOf(enter), 1);
      resolve(false);
    }, waitMs);
    waiting.push(enter);
  });
}
