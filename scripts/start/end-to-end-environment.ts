import { SETTING_NAMES } from '#server/core/env.ts';

/** Halves the limits of a process that loads it (`E2E_HALVED_LIMITS=1`). */
const HALVED_LIMITS = new URL('../check/halve-limits.ts', import.meta.url).href;

type Environment = Record<string, string | undefined>;

/** Lanes of browser tests that run in parallel, each with its own service and stand-ins. */
export const LANES = [0, 1] as const;

/** Ports of each lane, different from those of `npm start`. */
const PORTS = {
  PORT: [3100, 3101],
  PLATFORM_PORT: [4100, 4101],
  PLATFORM_HOOKS_PORT: [4543, 4544],
  PROVIDERS_PORT: [3103, 3113],
  PROVIDERS_SMTP_PORT: [3104, 3114],
  INBOUND_SMTP_PORT: [3105, 3115],
};

/** Ports by the settings with which `npm test` replaces taken ones. */
export const END_TO_END_PORTS = LANES.flatMap((lane) =>
  Object.entries(PORTS).map(([name, usual]) => ({ setting: settingOf(name, lane), usual: usual[lane] ?? 0 })),
);

/** Returns the addresses of service and stand-ins in a lane, by default that of this process. */
export function endToEndAddresses(
  env: Environment,
  lane = laneOf(env),
): { service: string; platform: string; providers: string } {
  const at = (name: keyof typeof PORTS) => `http://localhost:${portOf(env, name, lane)}`;
  return { service: at('PORT'), platform: at('PLATFORM_PORT'), providers: at('PROVIDERS_PORT') };
}

/**
 * Returns the environment of a service under test. Blanks the developer's settings from shell and `.env`, so that
 * tests never touch their database, platform or mail server.
 */
export function endToEndEnvironment(env: Environment, lane = laneOf(env)): Record<string, string> {
  const names = Object.keys(PORTS) as (keyof typeof PORTS)[];
  return {
    ...Object.fromEntries(BLANKED.map((name) => [name, ''])),
    ...Object.fromEntries(names.map((name) => [name, portOf(env, name, lane)])),
    DATA_DIR: lane === 0 ? '.data/e2e' : `.data/e2e-${lane + 1}`,
    DELIVERY_RETRY_DELAYS: '1,1,1,1',
    RATING_REQUEST_DELAY: '1',
    ...(env.E2E_HALVED_LIMITS ? { NODE_OPTIONS: `--import=${HALVED_LIMITS}` } : {}),
  };
}

/** Playwright numbers its processes. Everything else is in the first lane. */
function laneOf(env: Environment): number {
  return Number(env.TEST_PARALLEL_INDEX ?? 0);
}

function portOf(env: Environment, name: keyof typeof PORTS, lane: number): string {
  return env[settingOf(name, lane)] || `${PORTS[name][lane]}`;
}

/** Returns `E2E_PORT` for the first lane, `E2E_PORT_2` for the second, and so on. */
function settingOf(name: string, lane: number): string {
  return lane === 0 ? `E2E_${name}` : `E2E_${name}_${lane + 1}`;
}

const BLANKED = [...SETTING_NAMES, 'PLATFORM_DATA_DIR', 'SERVICE_URL'];
