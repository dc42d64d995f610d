import serverModules from './app/server-modules.json' with { type: 'json' };

/**
 * Folders of the repository, in order. A file imports its own folder and folders below it in this list, never one
 * above. Type imports count. Tests are exempt.
 */
export const ORDER = [
  // Pages.
  'app',
  ...under('app/components', [
    'account',
    'settings',
    'command-menu',
    'share',
    'shell',
    'inbox',
    'saved-views',
    'thread',
    'composer',
    'integrations',
    'web-chat',
    'verify',
    'rate',
    'consent',
    'docs',
    'companies',
    'reports',
    'contacts',
    'custom-fields',
    'conversations',
    'drafts',
    'view',
    'notifications',
    'live',
    'ui',
  ]),
  'app/data',
  'app/lib',
  'e2e',
  'bench',
  'test',
  'worker',
  'scripts',
  'prisma',
  'server/main',
  'server/smtp',
  'server/http',
  'server/screens',
  'server/mcp',
  'server/developer-api',
  'server/api',
  ...under('server/administration', [
    'export',
    'privacy',
    'retention',
    'notifications',
    'single-sign-on',
    'workspaces',
    'accounts',
    'invitations',
    'teams',
    'tags',
    'fields',
    'members',
  ]),
  ...under('server/automation', [
    'samples',
    'webhooks',
    'deliveries',
    'event-log',
    'oauth',
    'tokens',
    'connections',
    'hooks',
  ]),
  ...under('server/inbox', [
    'web-chat',
    'incoming-mail',
    'provider-updates',
    'ratings',
    'ai-agent',
    'claimed-addresses',
    'blocked-senders',
    'messages',
    'commands',
    'flows',
    'saved-replies',
    'saved-views',
    'reports',
    'lists',
    'conversations',
    'channels',
    'mail-parser',
    'files',
  ]),
  'server/contacts',
  'server/teammates',
  'server/contract',
  'server/core',
];

function under(parent, folders) {
  return folders.map((folder) => `${parent}/${folder}`);
}

const at = (folder) => (folder === 'app' ? '^app/(?!(components|data|lib)/)' : `^${folder}[/.]`);
const BELOW_API = ORDER.slice(ORDER.indexOf('server/api') + 1).map(at);
const OURS = ORDER.map(at);
const SERVER_MODULES = serverModules.map((path) => `^${path.replaceAll('.', '\\.')}$`);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...ORDER.slice(1).map((folder, index) => ({
      name: `${folder}-imports-down`,
      comment: 'A file imports its own folder and folders further down the list.',
      severity: 'error',
      from: { path: at(folder) },
      to: { path: ORDER.slice(0, index + 1).map(at) },
    })),
    {
      name: 'no-transport-below-api',
      comment: 'Code below the API knows neither HTTP nor tRPC, Next or React.',
      severity: 'error',
      from: { path: BELOW_API },
      to: {
        path: [
          '^(node:)?http$',
          '(^|/)node_modules/(@trpc|next|react|react-dom|trpc-openapi|trpc-to-openapi)/',
        ],
      },
    },
    {
      name: 'app-imports-screens-only',
      comment: 'Pages and components reach the server through its screens.',
      severity: 'error',
      from: { path: '^app/' },
      to: { path: ['^(worker|prisma|test|e2e|scripts|bench)/', '^server/(?!screens/)'] },
    },
    {
      name: 'app-runs-server-modules-only',
      comment:
        'Next bundles what pages run: only the modules in app/server-modules.json, so that no second copy of the server exists.',
      severity: 'error',
      from: { path: ['^app/', ...SERVER_MODULES] },
      to: { path: '^server/', pathNot: SERVER_MODULES, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'mail-parser-imports-only-itself',
      comment:
        'The parser runs in a process with neither settings nor a database. Email domains are pure functions.',
      severity: 'error',
      from: { path: '^server/inbox/mail-parser/' },
      to: { path: '^server/(?!inbox/mail-parser/|core/email-domain\\.ts$)' },
    },
    {
      name: 'stand-ins-import-nothing-of-ours',
      comment: 'A stand-in imitates an external program: it shares no code with the service.',
      severity: 'error',
      from: { path: '^stand-ins/' },
      to: { path: [...OURS, '^packages/'] },
    },
    {
      name: 'product-imports-no-development-package',
      severity: 'error',
      from: { path: '^(server|worker|app|prisma)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycle',
      comment:
        'Files that import each other at run time belong in one file, or need a shared file below them.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^server/generated'] },
    // The benchmarks' peers and the SDKs are separate packages.
    exclude: {
      path: ['^\\.next', '^server/generated', '^bench/peers', '^stand-ins/sdks', '\\.test\\.tsx?$'],
    },
    tsConfig: { fileName: 'tsconfig.json' },
    // Also counts imports that only types use: with `verbatimModuleSyntax`, `import type` marks them.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
