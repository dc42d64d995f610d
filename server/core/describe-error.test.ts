import { TRPCError } from '@trpc/server';
import pg from 'pg';
import { expect, test } from 'vitest';
import { describeError } from '#server/core/describe-error.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

const SECRET = 'what a contact wrote';

test('an error of the service has its message and stack', () => {
  const described = describeError(new Error('The conversation is not there.'));
  expect(described).toMatchObject({ type: 'Error', message: 'The conversation is not there.' });
  expect(described.stack[0]).toMatch(/describe-error\.test\.ts/);
});

test('an error of PostgreSQL has its code and constraint, without the row', () => {
  const error = Object.assign(new pg.DatabaseError(`failing row: ${SECRET}`, 1, 'error'), {
    severity: 'ERROR',
    code: '23514',
    constraint: 'messages_inbound_by_contact',
    detail: SECRET,
    where: SECRET,
  });
  const described = describeError(error);
  expect(described).toMatchObject({ errorCode: '23514', constraint: 'messages_inbound_by_contact' });
  expect(JSON.stringify(described)).not.toContain(SECRET);
});

test('an error of Prisma has its codes, even when tRPC wraps it', () => {
  const error = new Prisma.PrismaClientKnownRequestError(`Invalid invocation ${SECRET}`, {
    code: 'P2010',
    clientVersion: '7',
    meta: { code: '23514', message: SECRET },
  });
  const wrapped = new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: error.message, cause: error });
  for (const described of [describeError(error), describeError(wrapped)]) {
    expect(described).toMatchObject({ errorCode: 'P2010', databaseCode: '23514' });
    expect(JSON.stringify(described)).not.toContain(SECRET);
  }
});

test('a thrown value that is not an error has only its type', () => {
  expect(describeError(SECRET)).toEqual({ type: 'string', stack: [] });
});
