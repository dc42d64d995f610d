import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseSettings, SETTING_NAMES } from '#server/core/env.ts';
import { LIMITS } from '#server/core/limits/limits.ts';
import { projectPath } from '#server/core/project.ts';
import { SECRET_FILE_SETTINGS, SECRET_SETTINGS } from '#server/core/secret-files.ts';
import { REQUIRED_SETTINGS } from '#test/fixtures/required-settings.ts';

/** BASE_URL follows PORT, so its default is described in words. */
const { BASE_URL: _, ...defaults } = parseSettings(REQUIRED_SETTINGS);

const names = SETTING_NAMES.filter((name) => !SECRET_FILE_SETTINGS.includes(name));

describe('docs/configuration.md', () => {
  const rows = [...read('docs/configuration.md').matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]*)\|/gm)].map(
    ([, name = '', value = '', secret = '']) => ({ name, value, isSecret: secret.trim() === 'yes' }),
  );

  test('has a row for each setting', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  test.each(rows)('states whether $name is required or its default', ({ name, value }) => {
    const fallback = defaultOf(name);
    if (name in REQUIRED_SETTINGS) expect(value).toBe('required');
    else expect(value).toBe(fallback === undefined ? 'unset' : `\`${fallback}\``);
  });

  test('marks the secrets', () => {
    const secrets = rows.filter(({ isSecret }) => isSecret).map(({ name }) => name);
    expect(secrets.sort()).toEqual([...SECRET_SETTINGS].sort());
  });
});

test('docs/operations.md has a row for each limit, with its value', () => {
  const rows = [
    ...read('docs/operations.md').matchAll(/^\| `([a-z_]+)` \| [^|]+ \| ([\d,]+) in (.+) \|$/gm),
  ].map(([, name = '', points = '', window = '']) => [
    name,
    { points: Number(points.replaceAll(',', '')), seconds: secondsOf(window) },
  ]);
  expect(Object.fromEntries(rows)).toEqual(LIMITS);
});

/** Reads `a minute`, `15 minutes` or `an hour`. */
function secondsOf(window: string): number {
  const [count = '', unit = ''] = window.split(' ');
  return (Number.parseInt(count, 10) || 1) * (unit.startsWith('hour') ? 3_600 : 60);
}

describe('.env.example', () => {
  const lines = [...read('.env.example').matchAll(/^(#?)([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
    ([, comment, name = '', value = '']) => ({ name, value, isSet: comment === '' }),
  );

  test('names each setting once', () => {
    expect(lines.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  test.each(lines.filter(({ isSet }) => isSet))('sets $name to its default', ({ name, value }) => {
    expect(value.replaceAll('"', '')).toBe(defaultOf(name));
  });
});

test('README.md names only settings that exist', () => {
  const named = read('README.md').match(/\b[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*[A-Z0-9]+\b/g) ?? [];
  // Settings of other programs: the stand-in platform and the Zapier integration.
  const elsewhere = ['PLATFORM_PORT', 'SERVICE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'WEBHOOK_URL'];
  expect(named.filter((name) => !SETTING_NAMES.includes(name) && !elsewhere.includes(name))).toEqual([]);
});

/** Returns the default as `.env` would state it: lists with commas, a boolean as 0 or 1. */
function defaultOf(name: string): string | undefined {
  const value = Object.entries(defaults).find(([key]) => key === name)?.[1];
  return typeof value === 'boolean' ? String(Number(value)) : value?.toString();
}

function read(file: string) {
  return readFileSync(projectPath(file), 'utf8');
}
