/** Settings of the provider stand-in. */
export type Settings = {
  /** Origin of the service, which receives the webhooks. */
  serviceUrl: string;
  serviceName: string;
  /** Port of the APIs and the pages on the loopback addresses. */
  port: number;
  /** Port of the mail server that receives the service's mail. */
  smtpPort: number;
  /** Port on 127.0.0.1 where the service receives mail; null when it does not. */
  inboundSmtpPort: number | null;
  /** Origin of the stand-in, for the service and the browser. */
  url: string;
};

export type SettingsRead = { ok: true; settings: Settings } | { ok: false; problems: string[] };

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Parses the settings. Returns one message for each missing or malformed setting. */
export function parseSettings(env: NodeJS.ProcessEnv): SettingsRead {
  const problems: string[] = [];
  const port = (name: string, fallback: string): number => {
    const written = env[name]?.trim() || fallback;
    const value = /^\d{1,5}$/.test(written) ? Number(written) : 0;
    if (value < 1 || value > 65_535)
      problems.push(`${name} must be a port from 1 to 65535, not "${written}".`);
    return value;
  };
  const written = env.SERVICE_URL?.trim() ?? '';
  const service = URL.parse(written);
  if (!written) problems.push('SERVICE_URL is missing.');
  else if (!service || !isSafeAddress(service))
    problems.push(`SERVICE_URL must be an https address, or http on localhost, not "${written}".`);
  const ports = { port: port('PROVIDERS_PORT', '3003'), smtpPort: port('PROVIDERS_SMTP_PORT', '3004') };
  const inboundSmtpPort = env.INBOUND_SMTP_PORT ? port('INBOUND_SMTP_PORT', '') : null;
  if (problems.length > 0 || !service) return { ok: false, problems };
  const url = `http://localhost:${ports.port}`;
  const serviceName = env.SERVICE_NAME?.trim() || 'Shared Inbox';
  return {
    ok: true,
    settings: { serviceUrl: service.origin, serviceName, ...ports, inboundSmtpPort, url },
  };
}

function isSafeAddress(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_NAMES.has(url.hostname));
}
