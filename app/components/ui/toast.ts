/** An outcome that is announced: its title, more words, and what one may do about it. */
export type Toast = { kind: 'plain' | 'success' | 'error'; title: string; options: ToastOptions };

type ToastOptions = {
  description?: string | undefined;
  action?: { label: string; onClick: () => void } | undefined;
};

/** What takes toasts; until it does they wait. */
let take: ((toast: Toast) => void) | null = null;
const waiting: Toast[] = [];
/** What sees to it that the waiting are taken. */
let hurry: (() => void) | null = null;

/**
 * Announces an outcome at the side of the page. What draws toasts is loaded once a page is idle, or with the first one:
 * none is lost before.
 */
export function toast(title: string, options: ToastOptions = {}): void {
  give({ kind: 'plain', title, options });
}
toast.success = (title: string, options: ToastOptions = {}): void =>
  give({ kind: 'success', title, options });
toast.error = (title: string, options: ToastOptions = {}): void => give({ kind: 'error', title, options });

function give(given: Toast): void {
  if (take) {
    take(given);
    return;
  }
  waiting.push(given);
  hurry?.();
}

/** Calls `load` when a toast waits, at once if one does already. Returns how to stop. */
export function onToastWaiting(load: () => void): () => void {
  hurry = load;
  if (waiting.length > 0) load();
  return () => {
    if (hurry === load) hurry = null;
  };
}

/** Takes the toasts that wait, and all that follow. Returns how to stop. */
export function takeToasts(next: (toast: Toast) => void): () => void {
  take = next;
  for (const given of waiting.splice(0)) next(given);
  return () => {
    if (take === next) take = null;
  };
}
