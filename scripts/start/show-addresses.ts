import { join, relative } from 'node:path';
import type { StartPlan } from '#scripts/start/demo-settings.ts';
import { projectDir } from '#scripts/tools/project.ts';

/** Says where everything is, and with the demo data how to sign in. */
export function showAddresses(plan: StartPlan, dataDir: string, milliseconds: number): void {
  const lines = [
    ['Inbox', plan.baseUrl],
    ['API documentation', `${plan.baseUrl}/docs`],
    ...(plan.standIn ? [['Stand-in platform', `http://localhost:${plan.ports.PLATFORM_PORT}`]] : []),
    ...(plan.providers ? [['Write as a contact', `http://localhost:${plan.providers.PROVIDERS_PORT}`]] : []),
    ...(plan.metricsPorts
      ? [
          ['Metrics', `http://localhost:${plan.metricsPorts.server}/metrics`],
          ['Metrics of the worker', `http://localhost:${plan.metricsPorts.worker}/metrics`],
        ]
      : []),
    ...(plan.embedded ? SIGN_INS : []),
  ].map(([label = '', text]) => `  ${label.padEnd(21)} ${text}`);
  const logs = relative(projectDir, join(dataDir, 'log'));
  console.log(`\nReady in ${(milliseconds / 1000).toFixed(1)} s.\n\n${lines.join('\n')}\n`);
  console.log(`Logs are in ${logs.startsWith('..') ? join(dataDir, 'log') : logs}. Stop with Ctrl-C.`);
}

const SIGN_INS = [
  ['Sign in as', 'owner@demo.test, admin@demo.test, agent@demo.test or viewer@demo.test'],
  ['Password', 'demo-password'],
];
