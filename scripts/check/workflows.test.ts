import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectDir, projectPath } from '#server/core/project.ts';

type Step = {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
};
type Job = { 'timeout-minutes'?: number; permissions?: Record<string, string>; steps: Step[] };
type Workflow = { permissions: Record<string, string>; jobs: Record<string, Job> };

const workflows = globSync('.github/workflows/*.yml', { cwd: projectDir }).map((file): [string, Workflow] => [
  file,
  parse(readFileSync(projectPath(file), 'utf8')),
]);
const find = (name: string) => workflows.find(([file]) => file.endsWith(`/${name}`))?.[1];
const commands = (job: Job | undefined) =>
  job?.steps.flatMap(({ run: command }) => command ?? []).join('\n') ?? '';

test.each(workflows)(
  '%s may write nothing by default, and each job has a time limit',
  (_, { permissions, jobs }) => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  },
);

describe('a release', () => {
  const image = find('release.yml')?.jobs.image;

  test('is signed: the provenance and the SBOM name the digest of the pushed image', () => {
    expect(image?.permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' });
    for (const action of ['actions/attest-build-provenance@', 'actions/attest-sbom@']) {
      const step = image?.steps.find(({ uses }) => uses?.startsWith(action));
      expect(step?.with?.['subject-digest']).toBe(`\${{ steps.build.outputs.digest }}`);
    }
  });

  test('has an SBOM of the packages that the image installs', () => {
    const install = 'npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund';
    expect(readFileSync(projectPath('Containerfile'), 'utf8')).toContain(install);
    expect(commands(image)).toContain(install);
    // With `--omit` it would lack packages.
    expect(commands(image)).toMatch(
      /npm pkg delete devDependencies\s+npm sbom --sbom-format cyclonedx --sbom-type application >/,
    );
  });
});

test('the n8n node is published with provenance, after its tests', () => {
  const job = find('publish-n8n.yml')?.jobs.publish;
  expect(job?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(commands(job)).toMatch(/npm run packages -- n8n[\s\S]+npm publish --provenance/);
});

test('the n8n node is published with a token only if there is one, which only the first version needs', () => {
  const step = find('publish-n8n.yml')?.jobs.publish?.steps.find(({ run }) => run?.includes('npm publish'));
  expect(step?.env).toEqual({ NPM_TOKEN: `\${{ secrets.NPM_TOKEN }}` });
  expect(step?.run).toMatch(/\[ -z "\$NPM_TOKEN" \] \|\| npm config set/);
  expect(step?.run).not.toContain('echo');
});

test('CI checks and tests the rules of Prometheus', () => {
  const job = commands(find('ci.yml')?.jobs.alerts);
  expect(job).toContain('promtool check config prometheus.yaml && promtool test rules alerts.test.yaml');
});

test('CI checks the signatures of all packages', () => {
  expect(commands(find('ci.yml')?.jobs.signatures)).toContain('npm audit signatures');
});
