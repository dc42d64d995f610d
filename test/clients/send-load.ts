import { Agent } from 'node:http';
import { type RawResponse, rawRequest } from '#test/clients/raw-request.ts';

/**
 * Runs the clients in parallel. Each sends one call after the other on its own connection, to the servers in
 * turn. Returns every response.
 */
export async function sendLoad(
  servers: string[],
  {
    clients,
    callsEach,
    call,
  }: { clients: number; callsEach: number; call: Parameters<typeof rawRequest>[1] },
): Promise<RawResponse[]> {
  const client = async (number: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const responses: RawResponse[] = [];
    for (let i = 0; i < callsEach; i += 1) {
      const server = servers[(number + i) % servers.length] ?? '';
      responses.push(await rawRequest(server, { ...call, agent }));
    }
    agent.destroy();
    return responses;
  };
  return (await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))).flat();
}
