import { expect, test, vi } from 'vitest';
import { startServiceWorker as start } from '#test/fixtures/service-worker.ts';

const MESSAGE = { id: '1', title: 'Acme', body: 'Ada wrote to you.', href: '/inbox?selected=7', unread: 3 };

test('a message is shown with its sentence, and its count on the icon', async () => {
  const { worker, push } = start();
  await push(JSON.stringify(MESSAGE));
  const { href, id } = MESSAGE;
  expect(worker.registration.showNotification).toHaveBeenCalledExactlyOnceWith(
    'Acme',
    expect.objectContaining({ body: 'Ada wrote to you.', tag: href, data: { id, href } }),
  );
  expect(worker.navigator.setAppBadge).toHaveBeenCalledExactlyOnceWith(3);
});

test('a teammate who looks at the app is not interrupted, but the count changes', async () => {
  const { worker, push } = start({ pages: [page({ focused: true })] });
  await push(JSON.stringify(MESSAGE));
  expect(worker.registration.showNotification).not.toHaveBeenCalled();
  expect(worker.navigator.setAppBadge).toHaveBeenCalledWith(3);
});

test('a teammate who looks at another workspace sees the message, and the count of the open one stays', async () => {
  const focused = { pages: [page({ focused: true })], openWorkspaces: ['acme'] };
  const { worker, push } = start(focused);
  await push(JSON.stringify({ ...MESSAGE, workspaceId: 'acme' }));
  expect(worker.registration.showNotification).not.toHaveBeenCalled();
  expect(worker.navigator.setAppBadge).toHaveBeenCalledExactlyOnceWith(3);
  const other = start(focused);
  await other.push(JSON.stringify({ ...MESSAGE, workspaceId: 'other' }));
  expect(other.worker.registration.showNotification).toHaveBeenCalledOnce();
  expect(other.worker.navigator.setAppBadge).not.toHaveBeenCalled();
});

test('a test message is shown, although its button is on a page that has the focus', async () => {
  const { worker, push } = start({ pages: [page({ focused: true })], openWorkspaces: ['acme'] });
  await push(JSON.stringify({ ...MESSAGE, workspaceId: null }));
  expect(worker.registration.showNotification).toHaveBeenCalledOnce();
});

test('a notification that an open page has shown is not repeated', async () => {
  const { worker, push } = start({ shown: [{ data: { id: '1' } }] });
  await push(JSON.stringify(MESSAGE));
  expect(worker.registration.showNotification).not.toHaveBeenCalled();
});

test('a message that cannot be read shows that there is something new', async () => {
  const { worker, push } = start();
  await push('no JSON');
  expect(worker.registration.showNotification).toHaveBeenCalledExactlyOnceWith(
    'New notification',
    expect.objectContaining({ tag: '/inbox' }),
  );
});

test('a click opens the conversation in the open page', async () => {
  const open = page({});
  const { worker, click } = start({ pages: [open] });
  await click(MESSAGE.href);
  expect(open.navigate).toHaveBeenCalledExactlyOnceWith('https://inbox.test/inbox?selected=7');
  expect(worker.clients.openWindow).not.toHaveBeenCalled();
});

test('a click opens a page when none is open or it cannot navigate', async () => {
  const closed = start();
  await closed.click(MESSAGE.href);
  expect(closed.worker.clients.openWindow).toHaveBeenCalledExactlyOnceWith(
    'https://inbox.test/inbox?selected=7',
  );
  const stuck = page({});
  stuck.navigate.mockRejectedValue(new Error('not controlled'));
  const { worker, click } = start({ pages: [stuck] });
  await click(MESSAGE.href);
  expect(worker.clients.openWindow).toHaveBeenCalledOnce();
});

test('a click opens no other site', async () => {
  const { worker, click } = start();
  await click('//evil.test/inbox');
  expect(worker.clients.openWindow).not.toHaveBeenCalled();
});

test('a subscription that the push service ended is replaced', async () => {
  const { worker, service, subscription, endSubscription } = start();
  await endSubscription({ oldSubscription: { endpoint: 'https://push.test/old' } });
  const { subscribe } = worker.registration.pushManager;
  expect(subscribe).toHaveBeenCalledExactlyOnceWith({ userVisibleOnly: true, applicationServerKey: 'key' });
  const [path, { method, body }] = service.mock.calls[0] ?? ['', {}];
  expect([path, method]).toEqual(['/push-subscription', 'POST']);
  const sent = {
    replaced: 'https://push.test/old',
    endpoint: 'https://push.test/new',
    p256dh: 'p',
    auth: 'a',
  };
  expect(JSON.parse(String(body))).toEqual(sent);
  expect(subscription.unsubscribe).not.toHaveBeenCalled();
});

test('a browser without the teammate who turned notifications on stays unsubscribed', async () => {
  const { service, subscription, endSubscription } = start();
  service.mockResolvedValue({ ok: false });
  await endSubscription({});
  expect(JSON.parse(String(service.mock.calls[0]?.[1].body)).replaced).toBeNull();
  expect(subscription.unsubscribe).toHaveBeenCalledOnce();
});

function page({ focused = false }) {
  return {
    focused,
    visibilityState: 'visible',
    focus: vi.fn().mockResolvedValue(undefined),
    navigate: vi.fn().mockResolvedValue(undefined),
  };
}
