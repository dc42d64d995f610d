import { readFile, rm } from 'node:fs/promises';
import { type Counts, countPlaywright } from '#scripts/check/count-results.ts';
import type { Tier } from '#scripts/check/tiers.ts';
import { END_TO_END_PORTS } from '#scripts/start/end-to-end-environment.ts';
import { findChromium } from '#scripts/tools/chromium.ts';
import { chooseFreePort } from '#scripts/tools/ports.ts';
import { runTool } from '#scripts/tools/run-tool.ts';
import { projectPath } from '#server/core/project.ts';

/** Tag of the flows that run every day. */
const JOURNEY = '@journey';

/** Runs the browser tests: all of them, or the journeys that everyone needs every day. */
export async function runEndToEnd(signal: AbortSignal, { tier }: { tier: Tier }): Promise<Counts> {
  const report = projectPath('.data', 'test-results', 'end-to-end.json');
  await rm(report, { force: true });
  const chromium = await findChromium((text) => console.log(text));
  const args = ['test', ...(tier === 'everyday' ? ['--grep', JOURNEY] : [])];
  const { code } = await runTool('node_modules/@playwright/test/cli.js', args, {
    env: { CHROMIUM_PATH: chromium, TEST_TIER: tier, ...(await choosePorts()) },
    signal,
    show: true,
  });
  return countPlaywright(await readFile(report, 'utf8').catch(() => ''), code);
}

/** Returns the usual ports, or any free one for a port that is taken. */
async function choosePorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const { setting, usual } of END_TO_END_PORTS) {
    ports[setting] = process.env[setting] || String(await chooseFreePort(usual));
  }
  return ports;
}
