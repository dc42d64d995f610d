import { expect, test, vi } from 'vitest';
import { onToastWaiting, type Toast, takeToasts, toast } from '#app/components/ui/toast.ts';

test('what is announced before anything draws it waits, in order, and asks for it to be loaded', () => {
  const load = vi.fn();
  const stop = onToastWaiting(load);
  expect(load).not.toHaveBeenCalled();
  toast.success('Team created');
  toast.error('Not sent', { description: 'The address is not known.' });
  expect(load).toHaveBeenCalledTimes(2);
  const drawn: Toast[] = [];
  const leave = takeToasts((given) => drawn.push(given));
  expect(drawn).toEqual([
    { kind: 'success', title: 'Team created', options: {} },
    { kind: 'error', title: 'Not sent', options: { description: 'The address is not known.' } },
  ]);
  toast('Reply discarded');
  expect(drawn.at(-1)).toEqual({ kind: 'plain', title: 'Reply discarded', options: {} });
  expect(load).toHaveBeenCalledTimes(2);
  leave();
  stop();
});

test('a toast from before the page answered is loaded for as soon as it does', () => {
  toast('Early');
  const load = vi.fn();
  onToastWaiting(load)();
  expect(load).toHaveBeenCalledOnce();
  takeToasts(() => {})();
});
