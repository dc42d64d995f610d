import { expect, test } from 'vitest';
import { afterCommit, db, inTransaction } from '#server/core/database/db.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();

test('what is to be done after a change finds the change there', async () => {
  const { id } = await makeUser('Before');
  const found = Promise.withResolvers<string | undefined>();
  await inTransaction(async (tx) => {
    await tx.user.update({ where: { id }, data: { name: 'After' } });
    afterCommit(tx, () => {
      const user = db().user.findUnique({ where: { id } });
      user.then((row) => found.resolve(row?.name), found.reject);
    });
  });
  expect(await found.promise).toBe('After');
});

test('of a change that is undone nothing is done', async () => {
  const done: string[] = [];
  const undone = inTransaction(async (tx) => {
    afterCommit(tx, () => done.push('once'));
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(done).toEqual([]);
});

test('of a change that is tried again it is done once', async () => {
  const done: number[] = [];
  let attempt = 0;
  await inTransaction(async (tx) => {
    attempt += 1;
    const number = attempt;
    afterCommit(tx, () => done.push(number));
    if (number === 1) throw Object.assign(new Error('A deadlock.'), { code: 'P2034' });
  });
  expect(done).toEqual([2]);
});

test('what is asked for twice in a change is done once', async () => {
  let done = 0;
  const work = () => {
    done += 1;
  };
  await inTransaction(async (tx) => {
    afterCommit(tx, work);
    afterCommit(tx, work);
    expect(done).toBe(0);
  });
  expect(done).toBe(1);
});
