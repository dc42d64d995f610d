import { describe, expect, it } from 'vitest';
import { mayEnter, parseAccount } from '#scripts/postgres/postgres-user.ts';

const postgres = { uid: 101, gid: 104 };

describe('the user PostgreSQL runs as', () => {
  it('may enter a folder that is open to everyone', () => {
    expect(mayEnter({ mode: 0o755, uid: 0, gid: 0 }, postgres)).toBe(true);
  });

  it("may not enter root's private folder", () => {
    expect(mayEnter({ mode: 0o700, uid: 0, gid: 0 }, postgres)).toBe(false);
  });

  it('may enter by ownership or group', () => {
    expect(mayEnter({ mode: 0o700, uid: 101, gid: 0 }, postgres)).toBe(true);
    expect(mayEnter({ mode: 0o710, uid: 0, gid: 104 }, postgres)).toBe(true);
  });

  it('is found in the list of accounts', () => {
    const passwd =
      'root:x:0:0:root:/root:/bin/bash\npostgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash\n';
    expect(parseAccount(passwd, 'postgres')).toEqual(postgres);
    expect(parseAccount(passwd, 'postgre')).toBeUndefined();
  });
});
