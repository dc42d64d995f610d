import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTING_NAMES } from '#server/core/env.ts';
import { projectDir, projectPath } from '#server/core/project.ts';
import { SECRET_SETTINGS } from '#server/core/secret-files.ts';

const read = (file: string) => readFileSync(projectPath(file), 'utf8');
const { version, devDependencies } = JSON.parse(read('package.json'));
const containerfile = read('Containerfile');
const compose = parse(read('compose.yaml'), { merge: true });
const mail: { services: Record<string, { environment: object }> } = parse(read('deploy/compose/mail.yaml'));
const manifests = globSync('deploy/kubernetes/*.yaml', { cwd: projectDir }).flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => document.toJS()),
);
const IMAGE = `shared-inbox:${version}`;

/** Settings of Node and of `npm run backup`, not of the service. */
const OTHERS = ['NODE_EXTRA_CA_CERTS', 'POSTGRES_BIN_DIR'];
const isSecret = (name: string) => SECRET_SETTINGS.some((secret) => secret === name);
const isSetting = (name: string) => SETTING_NAMES.includes(name) || OTHERS.includes(name);

describe('Containerfile', () => {
  test('builds on the Node that package.json pins', () => {
    expect(containerfile).toContain(`FROM node:${devDependencies.node}-bookworm-slim AS base`);
  });

  test('has each document that the server imports from the project folder', () => {
    const code = globSync('server/**/*.ts', { cwd: projectDir }).map(read).join('\n');
    const names = [...code.matchAll(/from '(?:\.\.\/)+([\w-]+\.json)'/g)].map(([, name = '']) => name);
    expect(names).toContain('openapi.json');
    for (const name of names) {
      expect(containerfile).toContain(` /app/${name} `);
      expect(read('.dockerignore').split('\n')).toContain(`!${name}`);
    }
  });

  test('has pg_dump of the PostgreSQL that compose.yaml runs', () => {
    expect(containerfile).toContain(`FROM ${compose.services.postgres.image} AS postgres`);
  });

  test('sets only settings that exist', () => {
    const [, block = ''] = containerfile.split('\nENV NODE_ENV=production');
    const [lines = ''] = block.split('\n# Numeric');
    const names = [...lines.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name);
    expect(names).toContain('HOST');
    expect(names.filter((name) => name !== 'NEXT_TELEMETRY_DISABLED' && !isSetting(name))).toEqual([]);
  });

  test.each(['worker', 'migrate', 'backup', 'restore', 'create-workspace', 'compose-secrets', 'health'])(
    'has an entry point with the command %s',
    (command) => {
      expect(read('deploy/container/entrypoint.sh')).toMatch(new RegExp(`^ {2}${command}\\)`, 'm'));
    },
  );

  test('has a command for each that an operator runs with npm, which the image lacks', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const entryPoint = read('deploy/container/entrypoint.sh');
    const named = globSync('docs/*.md', { cwd: projectDir }).flatMap((file) => [
      ...read(file).matchAll(/npm run (backup|restore|[a-z]+:[a-z]+)\b/g),
    ]);
    const names = new Set(named.map(([, name = '']) => name));
    expect(names).toContain('mail:address');
    // They load demo data.
    for (const name of ['db:seed', 'demo:conversations']) names.delete(name);
    for (const name of names) expect(entryPoint).toContain(` exec ${scripts[name]} `);
  });
});

describe('compose.yaml', () => {
  const services: [string, { image: string; environment?: Record<string, unknown>; deploy?: object }][] =
    Object.entries(compose.services);
  const ours = services.filter(([, { image }]) => image.startsWith('shared-inbox'));

  test('runs this version of our image, and other images by tag', () => {
    for (const [, { image }] of ours) expect(image).toBe(IMAGE);
    for (const [name, { image }] of services) expect(image, name).toMatch(/:v?\d/);
  });

  test.each(ours)('gives %s only settings that exist', (_, { environment = {} }) => {
    expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([]);
  });

  test.each(services)('limits the resources of %s', (_, { deploy }) => {
    expect(deploy).toMatchObject({
      resources: { limits: { cpus: expect.any(String), memory: expect.any(String) } },
    });
  });

  test.each(services)('drops all capabilities of %s but those that it needs', (name, service) => {
    const needed: Record<string, string[]> = {
      proxy: ['NET_BIND_SERVICE'],
      secrets: ['DAC_READ_SEARCH'],
      postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
    };
    expect(service).toMatchObject({ cap_drop: ['ALL'] });
    expect(Reflect.get(service, 'cap_add')).toEqual(needed[name]);
  });

  test('has two servers and two workers as services of their own, because it replaces the replicas of one at the same time', () => {
    const started = ours.filter(([, service]) =>
      ['web', 'worker'].includes(Reflect.get(service, 'command')[0]),
    );
    expect(started.map(([name]) => name)).toEqual(['web-1', 'web-2', 'worker-1', 'worker-2']);
    for (const [name, { deploy }] of started) {
      expect(deploy).not.toHaveProperty('replicas');
      expect(read('docs/deployment.md')).toMatch(
        new RegExp(`for part in .*\\b${name}\\b.*; do docker compose up`),
      );
    }
  });

  test('has the services to which mail.yaml adds settings that exist', () => {
    for (const [name, { environment }] of Object.entries(mail.services)) {
      expect(Object.keys(compose.services)).toContain(name);
      expect(Object.keys(environment).filter((each) => !isSetting(each))).toEqual([]);
    }
    expect(read('deploy/compose/env.example')).toContain(
      '#COMPOSE_FILE=compose.yaml:deploy/compose/mail.yaml',
    );
  });

  test('passes each setting of .env on, except secrets, files and what it sets itself', () => {
    const set = ['HOST', 'PORT', 'METRICS_PORT', 'MAIL_DIR', 'INBOUND_SMTP_PORT', 'DEMO'];
    const isLeft = (name: string) => set.includes(name) || name.endsWith('_FILE') || isSecret(name);
    const names = SETTING_NAMES.filter((name) => !isLeft(name));
    for (const [name, { environment = {} }] of ours) {
      if (name === 'secrets') continue;
      expect(
        names.filter((each) => !(each in environment)),
        name,
      ).toEqual([]);
    }
  });

  test('has a proxy that serves the host of the developer API, if it has one', () => {
    const { SITE_ADDRESS: addresses } = compose.services.proxy.environment;
    expect(addresses).toMatch(/^\$\{BASE_URL:\?[^}]+\}\$\{API_HOST:\+, https:\/\/\$\{API_HOST\}\}$/);
    expect(read('deploy/compose/Caddyfile')).toMatch(/^\{\$SITE_ADDRESS\} \{$/m);
  });

  test('needs only variables that its example names', () => {
    const example = read('deploy/compose/env.example');
    const needed = [...read('compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name);
    for (const name of needed) expect(example).toMatch(new RegExp(`^#?${name}=`, 'm'));
  });
});

describe('manifests', () => {
  test('set only settings that exist', () => {
    const { data } = manifests.find(({ kind }) => kind === 'ConfigMap');
    expect(Object.keys(data).filter((name) => !isSetting(name))).toEqual([]);
  });

  test('run this version without root, with a read-only root and a memory limit', () => {
    const jobs = manifests.map(({ spec }) => spec?.jobTemplate?.spec ?? spec);
    const pods = jobs.flatMap((spec) => (spec?.template ? [spec.template.spec] : []));
    expect(pods).toHaveLength(4);
    for (const { containers, securityContext } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      for (const container of containers) {
        expect(container).toMatchObject({
          image: IMAGE,
          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
          resources: { limits: { memory: expect.any(String) } },
        });
      }
    }
  });

  test('name the migration after this version', () => {
    const job = manifests.find(({ kind }) => kind === 'Job');
    expect(job.metadata.name).toBe(`migrate-${version}`);
  });
});

describe('deploy/ha', () => {
  const files = globSync('deploy/ha/*', { cwd: projectDir }).filter((file) => !file.endsWith('cluster.env'));

  test('needs only variables that cluster.env or the machine itself names', () => {
    const named = [...read('deploy/ha/cluster.env').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
    const used = files.flatMap((file) => [...read(file).matchAll(/\$\{(\w+)\}/g)]);
    expect(new Set(used.map(([, name]) => name))).toEqual(new Set([...named, 'NAME', 'ADDRESS']));
  });

  test('lets only a standby that has every acknowledged change become the primary, before its lock could expire unnoticed', () => {
    const { bootstrap } = parse(read('deploy/ha/patroni.yml'));
    const { ttl, loop_wait: wait, retry_timeout: retry, ...settings } = bootstrap.dcs;
    expect(settings).toMatchObject({ synchronous_mode: true, postgresql: { use_pg_rewind: true } });
    expect(ttl).toBeGreaterThanOrEqual(wait + 2 * retry);
  });

  test('opens the database to no other machine than that of the service, which serves the web', () => {
    const binds = [...read('deploy/ha/haproxy.cfg').matchAll(/^ *bind (.+)$/gm)].map(
      ([, address]) => address,
    );
    expect(binds).toEqual(['127.0.0.1:5432', '127.0.0.1:5433']);
    expect(read('deploy/ha/pgbouncer.ini')).toMatch(/^listen_addr = 127\.0\.0\.1$/m);
  });
});
