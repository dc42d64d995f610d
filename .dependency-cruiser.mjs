/** The floors of server/, from the ground up. Imports go down only; tests may reach anywhere. */
const FLOORS = ['ground', 'contract', 'people', 'inbox', 'automation', 'members', 'doors'];
/** What speaks HTTP or tRPC is on the top floor wherever its file is. */
const DOORS =
  '^server/(main|router)\\.ts$|^server/doors/|/(api|[\\w-]*screens|handle-[\\w-]+)\\.ts$|/api/[\\w-]+\\.ts$';
const TESTS = '\\.test\\.tsx?$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...FLOORS.slice(0, -1).map((floor, index) => ({
      name: `${floor}-imports-down`,
      comment: `A file of server/${floor}/ imports its own floor and those below.`,
      severity: 'error',
      from: { path: `^server/${floor}/`, pathNot: [DOORS, TESTS] },
      to: { path: [DOORS, ...FLOORS.slice(index + 1).map((above) => `^server/${above}/`)] },
    })),
    {
      name: 'server-knows-neither-screens-nor-worker',
      severity: 'error',
      from: { path: '^server/', pathNot: TESTS },
      to: { path: '^(app|worker|test|e2e|scripts|bench)/' },
    },
    {
      name: 'product-imports-no-development-package',
      severity: 'error',
      from: { path: '^(server|worker|app|prisma)/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycle',
      comment: 'Files that import each other at run time are one file, or lack one below them.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^server/generated'] },
    exclude: { path: ['^\\.next', '^server/generated'] },
    tsConfig: { fileName: 'tsconfig.json' },
    // With `verbatimModuleSyntax` what is written is what stays: an import that only `type` takes away is known by it.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
