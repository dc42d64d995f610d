import parser from '@typescript-eslint/parser';
import regexp from 'eslint-plugin-regexp';

/**
 * One thing alone: no expression may take more steps than the text it meets has characters, or a stranger's text
 * holds a server. Everything else is linted by Biome, which has no such rule.
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
