import { planStart } from '#scripts/start/demo-settings.ts';
import { assertPortFree, findFreePort, waitForPort } from '#scripts/tools/ports.ts';

/**
 * Sets the ports of the stand-in for the providers and of incoming mail: the usual ones, or any free one where another
 * program has that. A port that the user named is waited for instead. Changes nothing where the stand-in does not run.
 * @throws UserError when a port that the user named is taken, or is none
 */
export async function chooseProvidersPorts(env: Record<string, string | undefined>): Promise<void> {
  const { providers } = planStart(env, '');
  for (const [name, port] of Object.entries(providers ?? {})) {
    if (env[name]) await waitForPort(port, name);
    else env[name] = String((await isFree(port, name)) ? port : await findFreePort());
  }
}

function isFree(port: number, name: string): Promise<boolean> {
  return assertPortFree(port, name).then(
    () => true,
    () => false,
  );
}
