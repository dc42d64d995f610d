import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test } from '#test/fixtures/service-test.ts';

describe('the files of the installed app', () => {
  test('a browser gets the manifest and every icon that it names without a session', async ({ service }) => {
    const response = await fetch(`${service.url}/manifest.webmanifest`);
    expect(response.headers.get('content-type')).toBe('application/manifest+json');
    expect(response.headers.get('set-cookie')).toBeNull();
    const manifest = await response.json();
    expect(manifest).toMatchObject({ name: 'Shared Inbox', start_url: '/inbox', display: 'standalone' });
    expect(manifest.icons.map(({ purpose }: { purpose: string }) => purpose)).toEqual([
      'any',
      'any',
      'maskable',
    ]);
    const others = ['/app-icons/apple-touch-icon.png', '/app-icons/badge-96.png'];
    const named = manifest.icons.map(({ src, sizes }: { src: string; sizes: string }) => ({ src, sizes }));
    for (const { src, sizes } of [...named, ...others.map((src) => ({ src, sizes: null }))]) {
      const icon = await fetch(`${service.url}${src}`);
      expect([icon.status, icon.headers.get('content-type')], src).toEqual([200, 'image/png']);
      const bytes = Buffer.from(await icon.arrayBuffer());
      if (sizes) expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes);
    }
  });

  test('a browser that has a file gets it only again when it changed', async ({ service }) => {
    for (const path of ['/manifest.webmanifest', '/app-icons/icon-192.png']) {
      const etag = (await fetch(`${service.url}${path}`)).headers.get('etag') ?? '';
      const again = await fetch(`${service.url}${path}`, { headers: { 'If-None-Match': etag } });
      expect([again.status, await again.text()], path).toEqual([304, '']);
    }
  });

  test('an app can share files of every type that the composer accepts', async ({ service }) => {
    const { share_target: target } = await (await fetch(`${service.url}/manifest.webmanifest`)).json();
    expect(target).toMatchObject({ action: '/share-target', method: 'POST', enctype: 'multipart/form-data' });
    const [{ accept }] = target.params.files;
    expect(accept).toEqual(expect.arrayContaining(['*/*', 'image/*', 'image/jpeg', 'application/pdf']));
  });

  test('a share that reaches the server is not read: a page says what to do, whoever posted it', async ({
    service,
  }) => {
    const body = new FormData();
    body.append('files', new File(['a'.repeat(3_000_000)], 'photo.png'));
    for (const headers of [{}, { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }]) {
      const response = await fetch(`${service.url}/share-target`, {
        method: 'POST',
        body,
        headers,
        redirect: 'manual',
      });
      expect([response.status, response.headers.get('location')]).toEqual([303, '/share?problem=not_ready']);
    }
  });

  test('the page without a connection runs only its own script, and the service worker names its version', async ({
    service,
  }) => {
    const page = await fetch(`${service.url}/no-connection`);
    expect(page.headers.get('set-cookie')).toBeNull();
    const html = await page.text();
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`);
    const worker = await (await fetch(`${service.url}/service-worker.js`)).text();
    expect(worker).toContain(`/no-connection?${page.headers.get('etag')?.replaceAll('"', '')}`);
  });
});
