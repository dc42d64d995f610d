import { listenTo } from '#app/components/live/live-source.ts';
import type { ScreensClient } from '#app/components/live/page-data.ts';
import { toast } from '#app/components/ui/toast.ts';

/** Time for which the toast of a command follows it, in ms. The thread shows the state afterwards. */
const FOLLOW_MS = 60_000;

/** Shows what becomes of a command in one toast, until it is delivered or failed. */
export function followRun(
  screens: ScreensClient,
  { runId, command }: { runId: string; command: string },
): void {
  const options = (description: string) => ({ id: runId, description });
  let shown = '';
  const check = async () => {
    // The next live message checks again.
    const run = await screens.commands.state.query({ runId }).catch(() => null);
    if (!run || run.sentence === shown) return;
    shown = run.sentence;
    if (run.state === 'delivered') toast.success(`/${command}`, options(run.sentence));
    else if (run.state === 'failed') toast.error(`/${command}`, options(run.sentence));
    else toast(`/${command}`, options(run.sentence));
    if (run.state === 'delivered' || run.state === 'failed') stop();
  };
  const unlisten = listenTo('conversations', () => void check());
  const timer = setTimeout(() => stop(), FOLLOW_MS);
  const stop = () => {
    clearTimeout(timer);
    unlisten();
  };
  void check();
}
