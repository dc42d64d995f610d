import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { connectAccount } from '#server/inbox/channels/accounts/connect-account.ts';
import { addMember, makeUser, makeWorkspace } from '#test/factories.ts';
import { type ProviderCall, type ProviderServer, startProvider } from '#test/provider-server.ts';
import { startTestService, type TestService } from '#test/service.ts';

/** A provider answers as it documents for a call that succeeds; undefined: not this one's. */
type Usual = (call: ProviderCall) => object | undefined;

/**
 * For a test file about a channel: the service, and its provider on a real socket. Before each test the provider has
 * forgotten what it was asked, and answers as usual.
 */
export function withChannelService(setting: (url: string) => Record<string, string>, usual: Usual) {
  let provider: ProviderServer | undefined;
  let service: TestService | undefined;
  const running = () => {
    if (!provider || !service) throw new Error('The service is asked for before it runs.');
    return { provider, service };
  };
  beforeAll(async () => {
    provider = await startProvider();
    service = await startTestService(setting(provider.url));
  });
  beforeEach(() => {
    running().provider.calls.length = 0;
    running().provider.respond((call) => ({ json: usual(call) ?? {} }));
  });
  afterAll(async () => {
    await service?.stop();
    await provider?.stop();
  });
  return {
    get url() {
      return running().service.url;
    },
    get provider() {
      return running().provider;
    },
  };
}

/** An owner of a new workspace who connects an account. */
export async function connectNew(channel: Channel, fields: Record<string, string>) {
  const workspaceId = (await makeWorkspace()).id;
  const by = await makeUser();
  await addMember(workspaceId, by.id, 'owner');
  const { id } = await connectAccount({ workspaceId, channel, fields, by });
  return { id, workspaceId, by, channel };
}
