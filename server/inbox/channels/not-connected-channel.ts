import type { ChannelAdapter } from '#server/inbox/channels/channel-adapter.ts';

/** A channel whose provider this workspace is not connected to: messages are saved, and the answer says so. */
export function notConnectedChannel(name: string): ChannelAdapter {
  const reason = `${name} is not connected to this workspace, so the message was saved but the contact did not receive it.`;
  const warning = `${name} is not connected to this workspace: replies are saved here, but the contact does not receive them.`;
  return {
    firstStatus: async () => 'sending',
    warning: async () => ({ sentence: warning, mend: null }),
    send: async () => ({ status: 'failed', reason }),
  };
}
