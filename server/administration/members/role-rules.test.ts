import { describe, expect, test } from 'vitest';
import { mayRemove, rolesToGive, rolesToInvite } from '#server/administration/members/role-rules.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

const ROLES: Role[] = ['owner', 'admin', 'agent', 'viewer'];

describe('role permissions', () => {
  test('an owner can give everyone every role, owners included', () => {
    for (const role of ROLES) expect(rolesToGive('owner', role)).toEqual(ROLES);
  });

  test('an admin can give every role but owner, and cannot change owners', () => {
    for (const role of ['admin', 'agent', 'viewer'] as const) {
      expect(rolesToGive('admin', role)).toEqual(['admin', 'agent', 'viewer']);
    }
    expect(rolesToGive('admin', 'owner')).toEqual([]);
  });

  test.each(['agent', 'viewer'] as const)('an %s can give no role, invite no one and remove no one', (by) => {
    expect(rolesToInvite(by)).toEqual([]);
    for (const role of ROLES) {
      expect(rolesToGive(by, role)).toEqual([]);
      expect(mayRemove(by, role)).toBe(false);
    }
  });

  test('only owners can invite owners', () => {
    expect(rolesToInvite('owner')).toContain('owner');
    expect(rolesToInvite('admin')).toEqual(['admin', 'agent', 'viewer']);
  });

  test('owners can remove everyone, admins everyone but owners', () => {
    expect(ROLES.filter((role) => mayRemove('owner', role))).toEqual(ROLES);
    expect(ROLES.filter((role) => mayRemove('admin', role))).toEqual(['admin', 'agent', 'viewer']);
  });
});
