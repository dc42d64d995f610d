import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

let loading: Promise<void> | undefined;

/**
 * Returns the SQL that turns the database of one schema into that of another, an empty one without `before`. Runs
 * Prisma's schema engine as WebAssembly, because the native one would have to be downloaded.
 */
export async function compareSchemas(before: string | undefined, after: string): Promise<string> {
  loading ??= loadWebAssembly();
  await loading;
  const adapter = bindMigrationAwareSqlAdapterFactory(offlineAdapter());
  const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
  try {
    const result = await engine.diff({
      from: before === undefined ? { tag: 'empty' } : schemaText(before),
      to: schemaText(after),
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return result.stdout ?? '';
  } finally {
    engine.free();
  }
}

function schemaText(content: string) {
  return { tag: 'schemaDatamodel' as const, files: [{ path: 'schema.prisma', content }] };
}

/** Returns an adapter without a database. The engine only queries the server version, which decides its SQL. */
function offlineAdapter(): SqlMigrationAwareDriverAdapterFactory {
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
