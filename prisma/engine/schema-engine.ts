import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

/** Prisma's schema engine as WebAssembly, because the native one would have to be downloaded. */
export type SchemaEngine = bindings.SchemaEngine;

/** Migrations manage all tables and enums. */
export const EVERYTHING: bindings.SchemaFilter = { externalTables: [], externalEnums: [] };

let loading: Promise<void> | undefined;

export async function withSchemaEngine<T>(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  loading ??= loadWebAssembly();
  await loading;
  const bound = bindMigrationAwareSqlAdapterFactory(adapter);
  const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, bound);
  try {
    return await use(engine);
  } catch (error) {
    throw originalError(error, bound.errorRegistry) ?? error;
  } finally {
    engine.free();
  }
}

/**
 * Returns an adapter without a database, for comparing schema files. The engine only queries the server version,
 * which decides the SQL that it may write.
 */
export function offlineAdapter(): SqlMigrationAwareDriverAdapterFactory {
  const info = { provider: 'postgres', adapterName: 'offline' } as const;
  const refuse = () => Promise.reject(new Error('Comparing schema files needs no database.'));
  const connection: SqlDriverAdapter = {
    ...info,
    queryRaw: async () => ({
      columnNames: ['exists', 'version', 'numeric_version'],
      columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
      rows: [[true, 'PostgreSQL 15.0', 150_000]],
    }),
    executeRaw: refuse,
    executeScript: refuse,
    startTransaction: refuse,
    dispose: async () => undefined,
  };
  return { ...info, connect: async () => connection, connectToShadowDb: async () => connection };
}

async function loadWebAssembly(): Promise<void> {
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const binary = await readFile(script.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(binary, { './schema_engine_bg.js': engineImports() });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === 'function') start();
}

/**
 * Functions that the engine calls. It leaves timers behind (10 s for a lock), which must not keep a process alive.
 */
function engineImports(): WebAssembly.ModuleImports {
  const unreferenced = (callback: () => void, ms: number) => setTimeout(callback, ms).unref();
  const imports: WebAssembly.ModuleImports = { ...bindings };
  for (const name of Object.keys(imports)) {
    if (name.startsWith('__wbg_setTimeout_')) imports[name] = unreferenced;
  }
  return imports;
}

/** The engine only passes the number of the adapter's error. */
function originalError(
  error: unknown,
  registry: { consumeError(id: number): { error: unknown } | undefined },
): unknown {
  const id = error instanceof Error ? /^External error id#(\d+)/.exec(error.message.trim())?.[1] : undefined;
  return id === undefined ? undefined : registry.consumeError(Number(id))?.error;
}
