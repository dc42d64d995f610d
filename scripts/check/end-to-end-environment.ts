import { SETTING_NAMES } from '#server/ground/env.ts';

type Environment = Record<string, string | undefined>;

/** So many flows run at once, each in a lane with a service and a stand-in platform of its own. */
export const LANES = [0, 1] as const;

/**
 * The ports of the services under test, beside those of a developer's `npm start`. `npm test` names others in
 * the environment where these are taken.
 */
export const END_TO_END_PORTS = {
  E2E_PORT: 3100,
  E2E_PLATFORM_PORT: 4100,
  E2E_PLATFORM_HOOKS_PORT: 4543,
  E2E_PORT_2: 3101,
  E2E_PLATFORM_PORT_2: 4101,
  E2E_PLATFORM_HOOKS_PORT_2: 4544,
};

/** Where the flows of a lane, by default the one of this process, find the service and the stand-in platform. */
export function endToEndAddresses(
  env: Environment,
  lane = laneOf(env),
): { service: string; platform: string } {
  const ports = portsIn(env, lane);
  return { service: `http://localhost:${ports.PORT}`, platform: `http://localhost:${ports.PLATFORM_PORT}` };
}

/**
 * The environment of the service under test. What a developer has set, in the shell or in `.env`, is blanked:
 * the tests must never touch their database, platform or mail server.
 */
export function endToEndEnvironment(env: Environment, lane = laneOf(env)): Record<string, string> {
  return {
    ...Object.fromEntries(BLANKED.map((name) => [name, ''])),
    ...portsIn(env, lane),
    DATA_DIR: lane === 0 ? '.data/e2e' : `.data/e2e-${lane + 1}`,
    DELIVERY_RETRY_DELAYS: '1,1,1,1',
    RATING_REQUEST_DELAY: '1',
  };
}

/** Playwright numbers its processes; everything else is in the first lane. */
function laneOf(env: Environment): number {
  return Number(env.TEST_PARALLEL_INDEX ?? 0);
}

function portsIn(env: Environment, lane: number) {
  const usual: Record<string, number> = END_TO_END_PORTS;
  const port = (name: string) => {
    const setting = lane === 0 ? name : `${name}_${lane + 1}`;
    return env[setting] || `${usual[setting]}`;
  };
  return {
    PORT: port('E2E_PORT'),
    PLATFORM_PORT: port('E2E_PLATFORM_PORT'),
    PLATFORM_HOOKS_PORT: port('E2E_PLATFORM_HOOKS_PORT'),
  };
}

/** The service's own settings, and those of the stand-in platform. */
const BLANKED = [...SETTING_NAMES, 'PLATFORM_DATA_DIR', 'SERVICE_URL'];
