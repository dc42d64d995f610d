import { expect, test, vi } from 'vitest';
import { handleToasts, onToastWaiting, type Toast, toast } from '#app/components/ui/toast.ts';

test('toasts without a renderer wait in order and request loading it', () => {
  const load = vi.fn();
  const stop = onToastWaiting(load);
  expect(load).not.toHaveBeenCalled();
  toast.success('Team created');
  toast.error('Not sent', { description: 'The address is not known.' });
  expect(load).toHaveBeenCalledTimes(2);
  const shown: Toast[] = [];
  const unsubscribe = handleToasts((toast) => shown.push(toast));
  expect(shown).toEqual([
    { kind: 'success', title: 'Team created', options: {} },
    { kind: 'error', title: 'Not sent', options: { description: 'The address is not known.' } },
  ]);
  toast('Reply discarded');
  expect(shown.at(-1)).toEqual({ kind: 'plain', title: 'Reply discarded', options: {} });
  expect(load).toHaveBeenCalledTimes(2);
  unsubscribe();
  stop();
});

test('a toast created before the loader is registered requests loading immediately', () => {
  toast('Early');
  const load = vi.fn();
  onToastWaiting(load)();
  expect(load).toHaveBeenCalledOnce();
  handleToasts(() => {})();
});
