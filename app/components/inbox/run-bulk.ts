import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { getSelection, select } from '#app/components/inbox/selection.ts';
import { change, refetchTopic } from '#app/components/live/page-data.ts';
import { toast } from '#app/components/ui/toast.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { notReached, type Outcome, withoutApiNames } from '#app/lib/outcome.ts';
import type { BulkChange, BulkOutcome, ValuesBefore } from '#server/screens/inbox/views.ts';

/** Changes conversations and returns those that were changed and skipped. */
const changeConversations = change(({ bulk }, ids: string[], change: BulkChange) =>
  bulk.change.mutate({ ids, change }),
);

/** Restores the values before a change. */
const undoChange = change(({ bulk }, before: ValuesBefore[], change: BulkChange) =>
  bulk.undo.mutate({ before, change }),
);

/** Conversations per request. Small, for progress. */
const CHUNK = 20;

const STOPPED = 'You stopped it.';

export type ChangeSelected = (change: BulkChange, words: string) => void;

/** A change in progress. */
export type BulkRun = { done: number; total: number };

type State = {
  run: BulkRun | null;
  isStopped: boolean;
  /** Resolves when the last change is finished. Changes of one page run one after the other. */
  last: Promise<unknown>;
};

const store = createStore<State>(() => ({ run: null, isStopped: false, last: Promise.resolve() }));

/** Ends the change in progress after its current request. */
export function stopRun(): void {
  store.setState({ isStopped: true });
}

/** Returns the change in progress, or null. */
export function useBulkRun(): BulkRun | null {
  return useStore(store, ({ run }) => run);
}

/**
 * Changes the selected conversations in small requests and shows a toast with one Undo. Those that a failed request
 * leaves unchanged stay selected.
 * @param words what happened to the conversations, such as `solved`
 */
export function changeSelected(change: BulkChange, words: string): Promise<void> {
  return enqueue(async () => {
    const ids = [...getSelection().ids];
    if (ids.length === 0) return;
    const { changed, skipped, problem } = await inChunks(ids, (chunk) => changeConversations(chunk, change));
    const finished = new Set([...changed, ...skipped].map(({ id }) => id));
    select([...getSelection().ids].filter((id) => !finished.has(id)));
    await refetchTopic('conversations');
    const undo = { label: 'Undo', onClick: () => void undoSelected(changed, change) };
    const options = changed.length > 0 ? { action: undo } : {};
    if (problem !== null) {
      const title = `Stopped after ${finished.size} of ${pluralize(ids.length, 'conversation')}${skippedWords(skipped)}`;
      const report = problem === STOPPED ? toast : toast.error;
      report(title, { ...options, description: problem });
    } else if (changed.length === 0) toast('No conversation changed', { description: reasonOf(skipped) });
    else {
      const title = `${pluralize(changed.length, 'conversation')} ${words}${skippedWords(skipped)}`;
      toast.success(title, { ...options, description: reasonOf(skipped) });
    }
  });
}

function undoSelected(before: ValuesBefore[], change: BulkChange): Promise<void> {
  return enqueue(async () => {
    const { changed, skipped, problem } = await inChunks(before, (chunk) => undoChange(chunk, change));
    await refetchTopic('conversations');
    if (problem !== null) {
      const finished = changed.length + skipped.length;
      const title = `Stopped undoing after ${finished} of ${pluralize(before.length, 'conversation')}`;
      toast.error(title, { description: problem });
    } else showUndone({ changed, skipped });
  });
}

/** Undoes a change of one conversation and shows a toast. The caller reports a failed request. */
export async function undoOne(before: ValuesBefore, change: BulkChange): Promise<Outcome<unknown>> {
  const outcome = await undoChange([before], change);
  if (outcome.done) {
    showUndone(outcome.value);
    await refetchTopic('conversations');
  }
  return outcome;
}

function showUndone({ changed, skipped }: BulkOutcome): void {
  const description = reasonOf(skipped);
  if (changed.length === 0) toast('Nothing to undo', { description });
  else toast.success(`Undone${skippedWords(skipped)}`, { description });
}

function skippedWords(skipped: BulkOutcome['skipped']): string {
  return skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
}

/** Returns the reason if it is the same for all. */
function reasonOf(skipped: BulkOutcome['skipped']): string | undefined {
  const [first, ...others] = new Set(skipped.map(({ problem }) => problem));
  return first !== undefined && others.length === 0 ? withoutApiNames(first) : undefined;
}

/** Sends items in chunks until a request fails or the teammate stops. `problem`: why it ended early, or null. */
async function inChunks<Item>(
  items: Item[],
  send: (chunk: Item[]) => Promise<Outcome<BulkOutcome>>,
): Promise<BulkOutcome & { problem: string | null }> {
  const all: BulkOutcome & { problem: string | null } = { changed: [], skipped: [], problem: null };
  store.setState({ isStopped: false });
  for (let at = 0; at < items.length; at += CHUNK) {
    if (store.getState().isStopped) {
      all.problem = STOPPED;
      break;
    }
    store.setState({ run: { done: at, total: items.length } });
    const outcome = await send(items.slice(at, at + CHUNK)).catch(notReached);
    if (!outcome.done) {
      all.problem = outcome.problem;
      break;
    }
    all.changed.push(...outcome.value.changed);
    all.skipped.push(...outcome.value.skipped);
  }
  return all;
}

function enqueue(work: () => Promise<void>): Promise<void> {
  const run = store
    .getState()
    .last.then(work)
    .finally(() => store.setState({ run: null }));
  store.setState({ last: run.catch(() => {}) });
  return run;
}
