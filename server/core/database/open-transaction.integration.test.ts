import { afterEach, describe, expect, test, vi } from 'vitest';
import { dataPool, db, inTransaction } from '#server/core/database/db.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();
afterEach(() => vi.restoreAllMocks());

const nameOf = async (id: string) => (await db().user.findUniqueOrThrow({ where: { id } })).name;

describe('a transaction', () => {
  test('is one for its own statements and for those of models, on one connection', async () => {
    const { id } = await makeUser('Before');
    const statements = await statementsOf(() =>
      inTransaction(async (tx) => {
        await tx.$executeRaw`update users set name = 'Between' where id = ${id}::uuid`;
        expect((await tx.user.findUniqueOrThrow({ where: { id } })).name).toBe('Between');
        await tx.user.update({ where: { id }, data: { name: 'After' } });
        const [row] = await tx.$queryRaw<{ name: string }[]>`select name from users where id = ${id}::uuid`;
        expect(row?.name).toBe('After');
        expect(await nameOf(id)).toBe('Before');
      }),
    );
    expect(await nameOf(id)).toBe('After');
    const edges = statements.filter(({ text }) => /^(begin|commit|rollback)$/i.test(text));
    expect(edges.map(({ text }) => text)).toEqual(['begin', 'commit']);
  });

  test('is undone as a whole, whichever of both wrote and whichever failed', async () => {
    const { id } = await makeUser('Before');
    const writeBoth = async (
      end: (tx: Parameters<Parameters<typeof inTransaction>[0]>[0]) => Promise<unknown>,
    ) =>
      inTransaction(async (tx) => {
        await tx.user.update({ where: { id }, data: { name: 'After' } });
        await tx.$executeRaw`update users set image = 'x' where id = ${id}::uuid`;
        await end(tx);
      });
    await expect(writeBoth((tx) => tx.$executeRaw`select 1 / 0`)).rejects.toThrow();
    await expect(
      writeBoth((tx) => tx.user.create({ data: { id, name: 'x', email: 'x@x.test' } })),
    ).rejects.toThrow();
    await expect(writeBoth(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await db().user.findUniqueOrThrow({ where: { id } })).toMatchObject({
      name: 'Before',
      image: null,
    });
  });

  test('gives its connection back, also after a failure', async () => {
    const { max } = dataPool().options;
    const many = Array.from({ length: max * 3 }, (_, n) =>
      inTransaction(async (tx) => {
        await tx.user.count();
        if (n % 2 === 0) throw new Error('refused');
        return tx.$queryRaw`select 1`;
      }).catch(() => undefined),
    );
    await Promise.all(many);
    expect(dataPool().idleCount).toBe(dataPool().totalCount);
  });

  test('that takes longer than 15 seconds is undone', async () => {
    const { id } = await makeUser('Before');
    const now = performance.now.bind(performance);
    const change = inTransaction(async (tx) => {
      await tx.$executeRaw`update users set name = 'After' where id = ${id}::uuid`;
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 15_001);
    });
    await expect(change).rejects.toMatchObject({ code: 'P2028' });
    vi.restoreAllMocks();
    expect(await nameOf(id)).toBe('Before');
  });
});
