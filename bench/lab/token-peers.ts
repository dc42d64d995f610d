import type { Lab } from '#bench/lab/lab.ts';
import { type MeasuredProgram, startMeasured } from '#bench/lab/measured-program.ts';
import { preparePeers } from '#bench/lab/peers.ts';
import type { IssuedCode } from '#bench/lab/request-stage.ts';
import { PLATFORM } from '#test/servers/settings.ts';

/** OAuth libraries to compare with, named like the programs that run them on PostgreSQL. */
export const TOKEN_PEERS = ['oauth2-server', 'oidc-provider'];

/** A library in a separate program, with a separate database on the same PostgreSQL. */
export type TokenPeer = {
  name: string;
  program: MeasuredProgram;
  makeCodes(count: number): Promise<IssuedCode[]>;
  makeRefreshTokens(count: number): Promise<string[]>;
};

/** Starts the libraries, and checks that each refuses invalid requests. */
export async function startTokenPeers(lab: Lab, names: string[]) {
  if (names.length > 0) await preparePeers();
  const all: TokenPeer[] = [];
  for (const name of names) {
    const program = await startMeasured(`bench/peers/${name}.mjs`, {
      DATABASE_URL: await lab.emptyDatabase(name.replace('-', '_')),
      CLIENT_ID: PLATFORM.clientId,
      CLIENT_SECRET: PLATFORM.clientSecret,
      REDIRECT_URI: PLATFORM.returnUrl,
      NODE_ENV: 'production',
    });
    const peer: TokenPeer = {
      name,
      program,
      makeCodes: async (count) => (await program.request({ make: 'codes', count })) as IssuedCode[],
      makeRefreshTokens: async (count) =>
        (await program.request({ make: 'refreshTokens', count })) as string[],
    };
    await expectRefusals(peer);
    all.push(peer);
  }
  return {
    all,
    [Symbol.asyncDispose]: async () => {
      for (const { program } of all) await program[Symbol.asyncDispose]();
    },
  };
}

/**
 * @throws when the library issues a token for a wrong verifier, secret or redirect URI, or for a used code
 */
async function expectRefusals({ name, program, makeCodes }: TokenPeer): Promise<void> {
  const [{ code, verifier } = { code: '', verifier: '' }] = await makeCodes(1);
  const exchange = async (changed: Record<string, string> = {}) => {
    const fields = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: PLATFORM.returnUrl,
      client_id: PLATFORM.clientId,
      client_secret: PLATFORM.clientSecret,
      ...changed,
    };
    const { status } = await fetch(`${program.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    return status;
  };
  const statuses = [
    await exchange({ code_verifier: 'w'.repeat(43) }),
    await exchange({ client_secret: 'wrong' }),
    await exchange({ redirect_uri: 'https://elsewhere.test/' }),
  ];
  // A library may have revoked the code after a failed exchange.
  const [next = { code: '', verifier: '' }] = await makeCodes(1);
  const right = { code: next.code, code_verifier: next.verifier };
  statuses.push(await exchange(right), await exchange(right));
  const [issued, ...refused] = [statuses[3], ...statuses.toSpliced(3, 1)];
  if (issued !== 200 || refused.some((status) => status !== 400 && status !== 401)) {
    throw new Error(`${name} returned ${statuses.join(', ')}; it must refuse all but the fourth.`);
  }
}
