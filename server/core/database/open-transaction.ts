import type pg from 'pg';
import { joining } from '#server/core/database/joinable-pool.ts';
import { namedStatement } from '#server/core/database/named-statement.ts';
import type { Prisma, PrismaClient } from '#server/generated/prisma/client.ts';

/** How long a transaction may take before it is undone, in milliseconds. */
const TRANSACTION_MS = 15_000;

/** A transaction under way, with what ends it. */
export type OpenTransaction = {
  tx: Prisma.TransactionClient;
  commit(): Promise<void>;
  undo(): Promise<void>;
};

/**
 * Begins a transaction whose raw statements go to `pg` directly, each prepared once a connection. What asks for a model joins it
 * through the data layer, which costs ten times as much and is begun only then.
 * @throws when no connection is free within ten seconds
 */
export async function openTransaction(pool: pg.Pool, prisma: PrismaClient): Promise<OpenTransaction> {
  const client = await pool.connect();
  const endsAt = performance.now() + TRANSACTION_MS;
  let models: JoinedModels | undefined;
  const ask = async (first: TemplateStringsArray | Prisma.Sql, values: unknown[]) => {
    checkTime(endsAt);
    return client.query(namedStatement(first, values));
  };
  const askUnsafe = async (text: string, values: unknown[]) => {
    checkTime(endsAt);
    return client.query(text, values);
  };
  type Raw = (first: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => Promise<unknown>;
  const raw: Record<string, Raw> = {
    $queryRaw: async (first, ...values) => (await ask(first, values)).rows,
    $executeRaw: async (first, ...values) => (await ask(first, values)).rowCount ?? 0,
  };
  type Unsafe = (text: string, ...values: unknown[]) => Promise<unknown>;
  const unsafe: Record<string, Unsafe> = {
    $queryRawUnsafe: async (text, ...values) => (await askUnsafe(text, values)).rows,
    $executeRawUnsafe: async (text, ...values) => (await askUnsafe(text, values)).rowCount ?? 0,
  };
  const begun = () => (models ??= joinModels(client, prisma));
  const tx = new Proxy({ ...raw, ...unsafe } as unknown as Prisma.TransactionClient, {
    get: (own, name) =>
      name in own || typeof name === 'symbol' ? Reflect.get(own, name) : model(name, begun),
  });

  const end = async (statement: 'commit' | 'rollback') => {
    try {
      await models?.leave();
      if (statement === 'commit') checkTime(endsAt);
      await client.query(statement);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  try {
    await client.query('begin');
  } catch (error) {
    client.release(true);
    throw error;
  }
  return {
    tx,
    commit: () => end('commit'),
    // The connection is closed when even that fails, which undoes it as well.
    undo: () => end('rollback').catch(() => undefined),
  };
}

type JoinedModels = { opened: Promise<Prisma.TransactionClient>; leave(): Promise<void> };

/** The data layer's own transaction, which begins and ends nothing: ours does. */
function joinModels(client: pg.PoolClient, prisma: PrismaClient): JoinedModels {
  const { promise: opened, resolve, reject } = Promise.withResolvers<Prisma.TransactionClient>();
  const left = Promise.withResolvers<void>();
  const options = { maxWait: TRANSACTION_MS, timeout: TRANSACTION_MS };
  const ended = joining(client, () =>
    prisma.$transaction((models) => {
      resolve(models);
      return left.promise;
    }, options),
  );
  ended.catch(reject);
  opened.catch(() => undefined);
  return {
    opened,
    leave: () => {
      left.resolve();
      return ended.catch(() => undefined);
    },
  };
}

/** A model of the data layer, by whose operations the transaction is joined. */
function model(name: string, begun: () => JoinedModels): unknown {
  // A transaction is not a promise: to await it finds no `then`.
  if (name === 'then') return undefined;
  return new Proxy(
    {},
    {
      get: (_own, operation) => async (given: unknown) => {
        const models: unknown = Reflect.get(await begun().opened, name);
        if (typeof models !== 'object' || models === null) throw new TypeError(`There is no model ${name}.`);
        const run: unknown = Reflect.get(models, operation);
        if (typeof run !== 'function') throw new TypeError(`There is no ${name}.${String(operation)}.`);
        return Reflect.apply(run, models, [given]);
      },
    },
  );
}

/** With the code that the data layer has for it. */
function checkTime(endsAt: number): void {
  if (performance.now() <= endsAt) return;
  const message = `The transaction took longer than ${TRANSACTION_MS} ms and is undone.`;
  throw Object.assign(new Error(message), { code: 'P2028' });
}
