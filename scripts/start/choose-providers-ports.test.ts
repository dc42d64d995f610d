import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { chooseProvidersPorts } from '#scripts/start/demo-settings.ts';
import { findFreePort, waitForPorts } from '#scripts/tools/ports.ts';
import { UserError } from '#server/core/user-error.ts';

const taken: ReturnType<typeof createServer>[] = [];

async function take(port: number): Promise<void> {
  const server = createServer().listen(port);
  await once(server, 'listening');
  taken.push(server);
}

afterEach(async () => {
  await Promise.all(taken.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

it('chooses another port when none is set and the usual one is taken', async () => {
  const port = await findFreePort();
  await take(port + 3);
  const env: Record<string, string | undefined> = { PORT: String(port) };
  await chooseProvidersPorts(env);
  expect(env.PROVIDERS_PORT).not.toBe(String(port + 3));
  expect(Number(env.PROVIDERS_PORT)).toBeGreaterThan(0);
  expect(env.PROVIDERS_SMTP_PORT).toBe(String(port + 4));
});

it('names all configured ports that are taken at once', async () => {
  const [port, other, free] = [await findFreePort(), await findFreePort(), await findFreePort()];
  await take(port);
  await take(other);
  const env = {
    PROVIDERS_PORT: String(port),
    PROVIDERS_SMTP_PORT: String(free),
    INBOUND_SMTP_PORT: String(other),
  };
  await expect(waitForPorts(await chooseProvidersPorts(env))).rejects.toThrow(
    new UserError(
      [
        `Port ${port} is in use by another program: free it, or set PROVIDERS_PORT to another port.`,
        `Port ${other} is in use by another program: free it, or set INBOUND_SMTP_PORT to another port.`,
      ].join('\n'),
    ),
  );
});

it('chooses nothing for the user’s own database', async () => {
  const env = { DATABASE_URL: 'postgresql://db/inbox' };
  await chooseProvidersPorts(env);
  expect(env).toEqual({ DATABASE_URL: 'postgresql://db/inbox' });
});
