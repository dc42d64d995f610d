import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CATALOGUE = `${ROOT}server/contract/event-catalogue.ts`;
const PARTS = [
  'contract/event-catalogue',
  'contract/event-schemas',
  'contract/event-examples',
  'automation/samples/list-samples',
].map((name) => `${ROOT}server/${name}.ts`);

test('an event added only to the payloads causes a compile error in every other part', () => {
  const written = readFileSync(CATALOGUE, 'utf8');
  const added = written.replace(
    'export type EventPayloads = {',
    "$&\n  'conversation.archived': { conversation: ConversationRecord };",
  );
  expect(added).not.toBe(written);
  for (const problem of problemsOf(added)) expect(problem).toContain('conversation.archived');
});

/** Returns the compiler's errors in each of these files, with the given text as the catalogue. */
function problemsOf(catalogue: string): string[] {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const host = ts.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (path) => (path === CATALOGUE ? catalogue : readFile(path));
  host.getSourceFile = (path, version) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram(PARTS, { ...options, incremental: false }, host);
  return PARTS.map((path) => {
    const source = program.getSourceFile(path);
    if (!source) throw new Error(`There is no ${path}.`);
    const found = program.getSemanticDiagnostics(source);
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n');
  });
}
