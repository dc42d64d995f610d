/** Settings of the stand-in platform, with parsed URLs. */
export type Settings = {
  /** Origin of the service, without a trailing slash. */
  serviceUrl: string;
  serviceName: string;
  platformName: string;
  /** Port of the page on the loopback addresses. */
  port: number;
  /** Port of the HTTPS hook receiver on the loopback addresses. */
  hooksPort: number;
  clientId: string;
  clientSecret: string;
  returnUrl: URL;
  /** Host name in hook addresses and in the receiver's certificate. */
  hooksHost: string;
  dataDir: string;
};

export type SettingsRead = { ok: true; settings: Settings } | { ok: false; problems: string[] };

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Parses the settings. Returns one message for each missing or malformed setting. */
export function parseSettings(env: NodeJS.ProcessEnv): SettingsRead {
  const problems: string[] = [];

  const text = (name: string, fallback?: string): string => {
    const value = env[name]?.trim() || fallback;
    if (value === undefined) problems.push(`${name} is missing.`);
    return value ?? '';
  };
  const port = (name: string, fallback: number): number => {
    const written = text(name, String(fallback));
    const value = /^\d{1,5}$/.test(written) ? Number(written) : 0;
    if (value < 1 || value > 65_535)
      problems.push(`${name} must be a port from 1 to 65535, not "${written}".`);
    return value;
  };
  const url = (name: string): URL | undefined => {
    const written = text(name);
    const value = URL.parse(written);
    if (value && isSafeAddress(value)) return value;
    if (written) problems.push(`${name} must be an https address, or http on localhost, not "${written}".`);
    return undefined;
  };

  const serviceUrl = url('SERVICE_URL');
  const returnUrl = url('PLATFORM_RETURN_URL');
  const hooksHost = text('HOOKS_HOST');
  if (hooksHost && !HOST_NAME.test(hooksHost)) {
    problems.push(`HOOKS_HOST must be a bare host name without a port, not "${hooksHost}".`);
  }
  if (returnUrl?.search || returnUrl?.hash) {
    problems.push('PLATFORM_RETURN_URL must have neither a query nor a fragment.');
  }
  const common = {
    serviceName: text('SERVICE_NAME', 'Shared Inbox'),
    platformName: text('PLATFORM_NAME', 'Workflow Platform'),
    port: port('PLATFORM_PORT', 4000),
    hooksPort: port('PLATFORM_HOOKS_PORT', 4443),
    clientId: text('PLATFORM_CLIENT_ID'),
    clientSecret: text('PLATFORM_CLIENT_SECRET'),
    hooksHost: hooksHost.toLowerCase(),
    dataDir: text('PLATFORM_DATA_DIR'),
  };
  if (problems.length > 0 || !serviceUrl || !returnUrl) return { ok: false, problems };
  return { ok: true, settings: { ...common, serviceUrl: serviceUrl.origin, returnUrl } };
}

function isSafeAddress(url: URL): boolean {
  if (url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_NAMES.has(url.hostname));
}
