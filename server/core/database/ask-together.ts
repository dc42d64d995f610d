/** More go by a statement of their own: one that grows without end would hold up the first for the last. */
const MOST = 100;

type Waiting<Asked, Found> = {
  asked: Asked;
  resolve: (found: Found) => void;
  reject: (reason: unknown) => void;
};

/**
 * One question for many: what is asked for before the process turns to its next input is asked together. So a busy process asks
 * seldom, and one that is not loses nothing.
 * @param askAll finds what each asked for, in their order; when it fails, it fails for all
 */
export function askTogether<Asked, Found>(
  askAll: (all: Asked[]) => Promise<Found[]>,
): (asked: Asked) => Promise<Found> {
  let waiting: Waiting<Asked, Found>[] = [];
  const send = async () => {
    // A hundred may have gone already.
    if (waiting.length === 0) return;
    const sent = waiting;
    waiting = [];
    try {
      const found = await askAll(sent.map(({ asked }) => asked));
      for (const [n, { resolve }] of sent.entries()) resolve(found[n] as Found);
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  };
  return (asked) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => void send());
      waiting.push({ asked, resolve, reject });
      if (waiting.length === MOST) void send();
    });
}
