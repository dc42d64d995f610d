import parser from '@typescript-eslint/parser';
import regexp from 'eslint-plugin-regexp';

/**
 * Only refuses regular expressions with super-linear backtracking, because untrusted text could block a server. Biome
 * lints everything else but has no such rule.
 */
export default [
  { ignores: ['**/node_modules/**', '.next/**', '.data/**', 'server/generated/**', '**/*.test.ts'] },
  {
    files: ['{app,server,worker,stand-ins}/**/*.{ts,tsx,js}'],
    languageOptions: { parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': [
        'error',
        { report: 'potential', ignoreSticky: false, ignorePartial: false },
      ],
    },
  },
];
