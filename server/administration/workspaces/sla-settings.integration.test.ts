import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { test } from '#test/fixtures/screens-test.ts';

describe('SLA targets', () => {
  test('can be set and removed, and only apply to conversations that start later', async ({
    teammates,
    screensOf,
  }) => {
    const { workspaces } = await screensOf('owner');
    await workspaces.update({ slaFirstResponseMinutes: 30, slaResolutionMinutes: 129_600 });
    expect(await workspaces.settings()).toMatchObject({
      slaFirstResponseMinutes: 30,
      slaResolutionMinutes: 129_600,
    });
    expect(await db().slaClock.count({ where: { workspaceId: teammates.workspaceId } })).toBe(0);
    await workspaces.update({ slaFirstResponseMinutes: null, slaResolutionMinutes: null });
    expect(await workspaces.settings()).toMatchObject({
      slaFirstResponseMinutes: null,
      slaResolutionMinutes: null,
    });
  });

  test.for([0, -5, 1.5, 129_601, Number.NaN])('refuse %s minutes', async (minutes, { screensOf }) => {
    const { workspaces } = await screensOf('owner');
    const changes = {
      slaFirstResponseMinutes: minutes,
      slaResolutionMinutes: minutes,
      closeSolvedAfterDays: 0,
    };
    const refusing = (word: string) => [expect.stringContaining(word)];
    if (Number.isNaN(minutes)) return expect(workspaces.update(changes)).rejects.toThrow();
    return expect(workspaces.update(changes)).rejects.toMatchObject(
      refusal({
        slaFirstResponseMinutes: refusing('2160 hours'),
        slaResolutionMinutes: refusing('2160 hours'),
        closeSolvedAfterDays: refusing('365'),
      }),
    );
  });
});

const refusal = (errors: object) => ({ cause: { errors } });
