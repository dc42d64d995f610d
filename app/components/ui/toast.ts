export type Toast = { kind: 'plain' | 'success' | 'error'; title: string; options: ToastOptions };

type ToastOptions = {
  /** Replaces the visible toast with the same id. */
  id?: string;
  description?: string | undefined;
  action?: { label: string; onClick: () => void } | undefined;
};

/** Renders toasts. While null, toasts wait. */
let handle: ((toast: Toast) => void) | null = null;
const waiting: Toast[] = [];
/** Requests loading of the renderer. */
let requestLoad: (() => void) | null = null;

/** Shows a toast. The renderer loads when the page is idle or with the first toast, and earlier toasts wait for it. */
export function toast(title: string, options: ToastOptions = {}): void {
  announce({ kind: 'plain', title, options });
}
toast.success = (title: string, options: ToastOptions = {}): void =>
  announce({ kind: 'success', title, options });
toast.error = (title: string, options: ToastOptions = {}): void =>
  announce({ kind: 'error', title, options });

function announce(announced: Toast): void {
  if (handle) {
    handle(announced);
    return;
  }
  waiting.push(announced);
  requestLoad?.();
}

/** Calls `load` when a toast is waiting, including one that already waits. Returns the unsubscribe function. */
export function onToastWaiting(load: () => void): () => void {
  requestLoad = load;
  if (waiting.length > 0) load();
  return () => {
    if (requestLoad === load) requestLoad = null;
  };
}

/** Handles the waiting toasts and all later ones. Returns the unsubscribe function. */
export function handleToasts(next: (toast: Toast) => void): () => void {
  handle = next;
  for (const announced of waiting.splice(0)) next(announced);
  return () => {
    if (handle === next) handle = null;
  };
}
