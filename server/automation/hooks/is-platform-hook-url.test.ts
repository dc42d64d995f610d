import { describe, expect, test } from 'vitest';
import { isPlatformHookUrl } from '#server/automation/hooks/is-platform-hook-url.ts';

const HOST = 'hooks.platform.test';

describe('a hook URL of the platform', () => {
  test.each([
    ['a path', `https://${HOST}/hooks/catch/1/abc/`],
    ['no path', `https://${HOST}`],
    ['a query right after the host', `https://${HOST}?to=1`],
    ['a fragment', `https://${HOST}/hook#part`],
    ['a fragment right after the host', `https://${HOST}#part`],
    ['scheme and host in uppercase', 'HTTPS://HOOKS.Platform.TEST/hook'],
    ['letters beyond ASCII in the path', `https://${HOST}/grüße/😀`],
    ['another address in its query', `https://${HOST}/hook?next=http://evil.test@x:8080/`],
    ['an at sign in its path', `https://${HOST}/@user:1`],
  ])('may have %s', (_what, url) => {
    expect(isPlatformHookUrl(url, HOST)).toBe(true);
  });

  test('matches regardless of the case of the setting', () => {
    expect(isPlatformHookUrl(`https://${HOST}/hook`, 'Hooks.PLATFORM.test')).toBe(true);
  });

  test.each([
    ['http', `http://${HOST}/hook`],
    ['another scheme', `ftp://${HOST}/hook`],
    ['no scheme', `//${HOST}/hook`],
    ['one slash', `https:/${HOST}/hook`],
    ['no slashes', `https:${HOST}/hook`],
    ['three slashes', `https:///${HOST}/hook`],
    ['a port', `https://${HOST}:8443/hook`],
    ['the default port', `https://${HOST}:443/hook`],
    ['an empty port', `https://${HOST}:/hook`],
    ['a user', `https://user@${HOST}/hook`],
    ['a user and a password', `https://user:secret@${HOST}/hook`],
    ['empty user info', `https://@${HOST}/hook`],
    ['the host as user info of another', `https://${HOST}@evil.test/hook`],
    ['the host as user info, with a password', `https://${HOST}:x@evil.test/hook`],
    ['another host', 'https://evil.test/hook'],
    ['a subdomain', `https://a.${HOST}/hook`],
    ['the parent domain', 'https://platform.test/hook'],
    ['the host as a prefix', `https://${HOST}.evil.test/hook`],
    ['the host as a suffix', `https://evil-${HOST}/hook`],
    ['a trailing dot', `https://${HOST}./hook`],
    ['an IPv4 address', 'https://127.0.0.1/hook'],
    ['an IPv6 address', 'https://[::1]/hook'],
    ['a number', 'https://2130706433/hook'],
    ['a letter that looks alike', 'https://hооks.platform.test/hook'],
    ['a letter that lowercases to the same', 'https://hoo\u212As.platform.test/hook'],
    ['a full stop that normalizes to a dot', 'https://hooks。platform.test/hook'],
    ['a full-width letter', 'https://hooks.platform.tesｔ/hook'],
    ['an encoded dot', 'https://hooks%2eplatform.test/hook'],
    ['an encoded letter', 'https://%68ooks.platform.test/hook'],
    ['a backslash after the host', `https://${HOST}\\@evil.test/hook`],
    ['a backslash in the path', `https://${HOST}/a\\b`],
    ['backslashes for slashes', `https:\\\\${HOST}\\hook`],
    ['a tab in the host', 'https://hooks.plat\tform.test/hook'],
    ['a tab in the path', `https://${HOST}/a\tb`],
    ['a line break in the scheme', `ht\ntps://${HOST}/hook`],
    ['a line break in the path', `https://${HOST}/a\r\nHost: evil.test`],
    ['a space in the path', `https://${HOST}/a b`],
    ['a leading space', ` https://${HOST}/hook`],
    ['a trailing control character', `https://${HOST}/hook\u0001`],
    ['U+0000', `https://${HOST}/ho\0ok`],
    ['a soft hyphen in the host', 'https://hooks.plat\u00adform.test/hook'],
    ['nothing', ''],
  ])('may not have %s', (_what, url) => {
    expect(isPlatformHookUrl(url, HOST)).toBe(false);
  });
});
