import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { db } from '#server/core/database/db.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { processUpdates } from '#server/inbox/provider-updates/process-updates.ts';
import { connectNew, withChannelService } from '#test/channel-service.ts';
import type { ProviderCall } from '#test/provider-server.ts';
import { newAddress } from '#test/sign-in.ts';

/** For a test file about Slack: the service, the Web API, a team that is connected, and what people write in it. */
export function withSlack() {
  const BOT = 'UBOT00001';
  let lastTs = randomInt(900_000);
  function nextTs(): string {
    lastTs += 1;
    return `1700000000.${String(lastTs).padStart(6, '0')}`;
  }
  const people: Record<string, object> = {
    UADA: { real_name: 'Ada Lovelace', email: 'ada@example.com' },
    UBOB: { real_name: 'Bob Builder' },
  };

  /** The Web API as it answers when nothing is wrong; a team's id is part of its token here. */
  function webApi({ path, body, headers }: ProviderCall): object | undefined {
    const token = String(headers.authorization ?? '').replace('Bearer ', '');
    const team_id = token.split('-')[1];
    switch (path) {
      case '/api/auth.test':
        return {
          ok: true,
          url: 'https://acme.slack.com/',
          team: 'Acme',
          team_id,
          user: 'inbox',
          user_id: BOT,
          bot_id: 'B1',
        };
      case '/api/users.info': {
        const id = String(body.user);
        return people[id]
          ? { ok: true, user: { id, name: id.toLowerCase(), profile: people[id] } }
          : { ok: false, error: 'user_not_found' };
      }
      case '/api/chat.postMessage':
        return { ok: true, channel: body.channel, ts: nextTs(), message: {} };
      case '/api/files.getUploadURLExternal':
        return { ok: true, upload_url: `${service.provider.url}/api/upload/v1/abc`, file_id: 'F1' };
      case '/api/files.completeUploadExternal':
        return { ok: true, files: [{ id: 'F1' }] };
      default:
        return undefined;
    }
  }

  const service = withChannelService((url) => ({ SLACK_API_URL: `${url}/api/` }), webApi);

  async function connectTeam() {
    const team = `T${randomInt(1e9)}`;
    const signingSecret = randomBytes(16).toString('hex');
    const fields = { botToken: `xoxb-${team}-abc`, signingSecret };
    return { ...(await connectNew('slack', fields)), team, signingSecret };
  }
  type Team = Awaited<ReturnType<typeof connectTeam>>;

  const eventOf = ({ team }: Team, event: object, given: object = {}) => ({
    token: 'x',
    team_id: team,
    api_app_id: 'A1',
    type: 'event_callback',
    event_id: `Ev${randomInt(2 ** 40)}`,
    event_time: 1_700_000_000,
    event,
    ...given,
  });
  const dm = (given: object = {}) => ({
    type: 'message',
    channel: 'D1',
    channel_type: 'im',
    user: 'UADA',
    text: 'Where is my order?',
    ts: nextTs(),
    ...given,
  });
  const mention = (given: object = {}) => ({
    type: 'app_mention',
    channel: 'C1',
    user: 'UADA',
    text: `<@${BOT}> can you help?`,
    ts: nextTs(),
    ...given,
  });
  const threadReply = (thread_ts: string, given: object = {}) =>
    dm({ channel: 'C1', channel_type: 'channel', thread_ts, text: 'More', ...given });

  /** What Slack sends, signed as it documents. */
  async function call(
    { id, signingSecret }: Pick<Team, 'id' | 'signingSecret'>,
    body: unknown,
    given: { timestamp?: number; signature?: string; headers?: Record<string, string> } = {},
  ) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const { timestamp = Math.floor(Date.now() / 1000) } = given;
    const hmac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${text}`).digest('hex');
    const response = await fetch(`${service.url}/webhooks/slack/${id}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': given.signature ?? `v0=${hmac}`,
        'x-forwarded-for': newAddress(),
        ...given.headers,
      },
      body: text,
    });
    return {
      status: response.status,
      text: await response.text(),
      type: response.headers.get('content-type'),
    };
  }

  async function receive(team: Team, event: object) {
    expect(await call(team, eventOf(team, event))).toMatchObject({ status: 200 });
    await processUpdates(team.id);
  }

  const messagesOf = ({ workspaceId }: Team) =>
    db().message.findMany({
      where: { workspaceId },
      orderBy: { createdAt: 'asc' },
      include: { attachments: true },
    });
  const conversationsOf = ({ workspaceId }: Team) =>
    db().conversation.findMany({
      where: { workspaceId },
      orderBy: { createdAt: 'asc' },
      include: { contact: true },
    });
  const keptOf = ({ id }: Team) => db().inboundUpdate.count({ where: { accountId: id } });

  async function reply(team: Team, content = 'On its way.') {
    const [conversation] = await conversationsOf(team);
    const actor = { kind: 'teammate', teammate: team.by } as const;
    return sendReply({ workspaceId: team.workspaceId, id: conversation?.id ?? '', actor, content });
  }

  return {
    BOT,
    nextTs,
    webApi,
    service,
    connectTeam,
    eventOf,
    dm,
    mention,
    threadReply,
    call,
    receive,
    messagesOf,
    conversationsOf,
    keptOf,
    reply,
  };
}
