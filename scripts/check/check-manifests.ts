import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runToolOrFail } from '#scripts/tools/run-tool.ts';
import { projectDir, projectPath } from '#server/core/project.ts';
import { reasonOf, UserError } from '#server/core/user-error.ts';

type Manifest = { file: string; apiVersion: string; kind: string; data: object };

/**
 * Validates `deploy/kubernetes/` against the schemas in `kubernetes-models`: values by its validators, field names by
 * its types, because the schemas permit unknown fields.
 * @throws UserError with the problems
 */
export async function checkManifests(signal: AbortSignal): Promise<void> {
  const manifests = await readManifests();
  const problems = (await Promise.all(manifests.map(findProblem))).filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new UserError(problems.join('\n'));
  await checkFieldNames(manifests, signal);
}

async function readManifests(): Promise<Manifest[]> {
  const files = globSync('deploy/kubernetes/*.yaml', { cwd: projectDir }).sort();
  const manifests = files.map(async (file) => {
    const documents = parseAllDocuments(await readFile(projectPath(file), 'utf8'));
    return documents.map((document) => {
      const data = document.toJS();
      return { file, apiVersion: data.apiVersion, kind: data.kind, data };
    });
  });
  return (await Promise.all(manifests)).flat();
}

async function findProblem({ file, apiVersion, kind, data }: Manifest): Promise<string | undefined> {
  try {
    const models = await import(`kubernetes-models/${apiVersion}/${kind}`);
    new models[kind](data).validate();
    return undefined;
  } catch (error) {
    return `${file}, ${kind}: ${reasonOf(error)}`;
  }
}

/** Type-checks a program that assigns each manifest to its type, which reports unknown fields. */
async function checkFieldNames(manifests: Manifest[], signal: AbortSignal): Promise<void> {
  const lines = manifests.flatMap(({ file, apiVersion, kind, data }, at) => [
    `import type { I${kind} as Kind${at} } from 'kubernetes-models/${apiVersion}/${kind}';`,
    `// ${file}`,
    `export const manifest${at}: Kind${at} = ${JSON.stringify(data, undefined, 2)};`,
  ]);
  const program = projectPath('.data', 'manifests', 'manifests.ts');
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, `${lines.join('\n')}\n`);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'esnext'];
  await runToolOrFail(
    'node_modules/typescript-native/bin/tsc',
    ['--ignoreConfig', ...options, program],
    'Correct the manifests in deploy/kubernetes/.',
    { signal },
  );
}
