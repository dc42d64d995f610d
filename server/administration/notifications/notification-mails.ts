import {
  type HookNames,
  nameWorkflow,
  percentUsed,
} from '#server/administration/notifications/notification-sentence.ts';
import { explainEnd } from '#server/automation/connections/explain-end.ts';
import { PAUSED_AFTER_DAYS, WARNED_AFTER_DAYS } from '#server/automation/deliveries/pause-endpoint.ts';
import { explainRemoval } from '#server/automation/hooks/explain-removal.ts';
import { CONSECUTIVE_ERRORS_MAX } from '#server/automation/hooks/remove-hooks.ts';
import { ABILITY_NAMES, knownAbilities } from '#server/automation/tokens/abilities.ts';
import { formatTimestamp } from '#server/core/mail/service-mail.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import type {
  ChannelNotification,
  ConnectionNotification,
  HookNotification,
  StorageNotification,
  TokenNotification,
  WebhookNotification,
} from '#server/teammates/notification-content.ts';

/** Values of the email about a hook. `names` is undefined once the hook's record is deleted. */
type HookMailFacts = {
  content: HookNotification;
  at: Date;
  recipientName: string;
  workspaceName: string;
  names: HookNames | undefined;
  platformName: string;
  serviceName: string;
  integrationsUrl: string;
};

/** Writes the email to an owner or admin about a failing or removed hook. */
export function hookMail(facts: HookMailFacts): { subject: string; text: string } {
  const { content, recipientName, workspaceName, names, serviceName, integrationsUrl } = facts;
  const { subject, happened, since, means, todo } =
    content.kind === 'hook_failing' ? failing(facts, content) : removed(facts, content);
  const paragraphs = [
    `Hello ${recipientName},`,
    happened,
    [`Workflow: ${nameWorkflow(content.data.event, names)}`, ...since].join('\n'),
    `What it means: ${means}`,
    `What to do: ${todo}`,
    `See the events sent and the responses:\n${integrationsUrl}`,
    `You are receiving this because you are an owner or admin of ${workspaceName}.\n${serviceName}`,
  ];
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}

type Words = { subject: string; happened: string; since: string[]; means: string; todo: string };

function failing(
  { workspaceName, platformName }: HookMailFacts,
  { data }: Extract<HookNotification, { kind: 'hook_failing' }>,
): Words {
  const last = data.lastStatus === null ? '' : ` The status of the last response was ${data.lastStatus}.`;
  return {
    subject: `A workflow of ${workspaceName} is failing: ${data.count} events in a row`,
    happened: `The last ${data.count} events for a workflow of ${workspaceName} all failed: ${platformName} answered with an error.${last}`,
    since: [`Failing since: ${formatTimestamp(data.since)}`],
    means: `these events are not sent again automatically. New events are still sent. After ${CONSECUTIVE_ERRORS_MAX} failures in a row the workflow stops receiving events.`,
    todo: `find out in ${platformName} what is wrong with the workflow, and fix it. The first event that gets through resets the count. Events that failed can then be sent again.`,
  };
}

function removed(
  { workspaceName, platformName, names, at }: HookMailFacts,
  { data }: Extract<HookNotification, { kind: 'hook_removed' }>,
): Words {
  const teammateName = names?.teammateName ?? 'The teammate';
  const { why, whatToDo } = explainRemoval(data.reason, { platformName, teammateName });
  return {
    subject: `A workflow of ${workspaceName} no longer receives events`,
    happened: `A workflow of ${workspaceName} was removed and no longer receives events. ${why}`,
    since: [
      `Removed: ${formatTimestamp(at)}`,
      ...(data.since === null ? [] : [`Failing since: ${formatTimestamp(data.since)}`]),
    ],
    means: 'nothing more is sent to this workflow. Other workflows work as before.',
    todo: `${whatToDo ?? `Look at the workflow in ${platformName}.`} Earlier events are not sent to it again.`,
  };
}

type ConnectionMailFacts = {
  content: ConnectionNotification;
  at: Date;
  recipientName: string;
  workspaceName: string;
  platformName: string;
  serviceName: string;
  integrationsUrl: string;
};

/**
 * Writes the email to an owner about a new connection, or about one that ended without anyone disconnecting
 * it.
 */
export function connectionMail(facts: ConnectionMailFacts): { subject: string; text: string } {
  const { content, recipientName, workspaceName, serviceName, integrationsUrl } = facts;
  const { subject, happened, means, todo } =
    content.kind === 'connection_started' ? started(facts, content) : ended(facts, content);
  const paragraphs = [
    `Hello ${recipientName},`,
    happened,
    `What it means: ${means}`,
    `What to do: ${todo}`,
    `See all connections, and why others ended:\n${integrationsUrl}`,
    `You are receiving this because you are an owner of ${workspaceName}.\n${serviceName}`,
  ];
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}

type ConnectionWords = { subject: string; happened: string; means: string; todo: string };

function started(
  { workspaceName, platformName, at }: ConnectionMailFacts,
  { data: { teammateName } }: Extract<ConnectionNotification, { kind: 'connection_started' }>,
): ConnectionWords {
  return {
    subject: `${teammateName} connected ${platformName} to ${workspaceName}`,
    happened: `${teammateName} connected ${platformName} to ${workspaceName} on ${formatTimestamp(at)}.`,
    means: `${platformName} can read and change contacts and conversations of ${workspaceName} and reply to contacts on behalf of ${teammateName}.`,
    todo: `nothing, if you expected this. If not, disconnect it in Settings > Integrations, and ask ${teammateName} about it.`,
  };
}

function ended(
  { workspaceName, platformName, at }: ConnectionMailFacts,
  { data: { teammateName, reason } }: Extract<ConnectionNotification, { kind: 'connection_ended' }>,
): ConnectionWords {
  const { why, whatToDo } = explainEnd(reason, { platformName, teammateName });
  const wasRevoked = `${teammateName}’s connection to ${workspaceName} was disconnected in ${platformName}`;
  const words =
    reason === 'revoked_by_platform'
      ? { subject: wasRevoked, happened: `${wasRevoked} on ${formatTimestamp(at)}.` }
      : {
          subject: `A connection between ${workspaceName} and ${platformName} ended`,
          happened: `${teammateName}’s connection between ${workspaceName} and ${platformName} ended on ${formatTimestamp(at)}. ${why}`,
        };
  return {
    ...words,
    means: `${platformName} can no longer act on behalf of ${teammateName} there, and the workflows of this connection receive no more events. Other connections work as before.`,
    todo: whatToDo ?? 'nothing.',
  };
}

type ChannelMailFacts = {
  content: ChannelNotification;
  recipientName: string;
  workspaceName: string;
  serviceName: string;
  channelsUrl: string;
};

/** Writes the email to an owner or admin about an account that needs them. */
export function channelMail(facts: ChannelMailFacts): { subject: string; text: string } {
  const { content, recipientName, workspaceName, serviceName, channelsUrl } = facts;
  const { subject, happened, means, todo } = wordsOfChannel(content, workspaceName);
  const paragraphs = [
    `Hello ${recipientName},`,
    happened,
    `What it means: ${means}`,
    `What to do: ${todo}:\n${channelsUrl}`,
    `You are receiving this because you are an owner or admin of ${workspaceName}.\n${serviceName}`,
  ];
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}

function wordsOfChannel(content: ChannelNotification, workspaceName: string) {
  const { channel, accountName } = content.data;
  const { name } = CHANNEL_NAMES[channel];
  const account = `${name} account ${accountName} of ${workspaceName}`;
  const todo = 'connect the account again with a new token';
  switch (content.kind) {
    case 'channel_reconnect':
      return {
        subject: `${name} of ${workspaceName} needs to be connected again`,
        happened: `The ${account} needs to be connected again. ${content.data.why}`,
        means: 'Until it is connected again, replies fail and messages from contacts may not arrive.',
        todo,
      };
    case 'channel_expiring':
      return {
        subject: `${name} of ${workspaceName} needs to be connected again soon`,
        happened: `The access to the ${account} ends on ${formatTimestamp(new Date(content.data.expiresAt))}.`,
        means: 'From then on, replies fail and messages from contacts may not arrive.',
        todo,
      };
    case 'channel_update_failed':
      return {
        subject: `${name} of ${workspaceName} could not receive a message`,
        happened: `A message or another update to the ${account} could not be received in an hour of attempts.`,
        means:
          'A contact may be waiting for an answer to a message that nobody has seen. It is stored for 14 days.',
        todo: 'try again, and ask the operator of this service if that does not help',
      };
  }
}

type StorageMailFacts = {
  content: StorageNotification;
  recipientName: string;
  workspaceName: string;
  serviceName: string;
  /** The page that shows the storage use. */
  storageUrl: string;
};

/** Writes the email to an owner or admin about storage that is nearly full. */
export function storageMail(facts: StorageMailFacts): { subject: string; text: string } {
  const { content, recipientName, workspaceName, serviceName, storageUrl } = facts;
  const percent = percentUsed(content.data);
  const paragraphs = [
    `Hello ${recipientName},`,
    `Files and original emails use ${percent} % of the storage of ${workspaceName}.`,
    'What it means: when the storage is full, files and large emails are refused, and their senders try again later. A share is reserved for small emails.',
    `What to do: ask the operator of ${serviceName} for more storage. See how much is used:\n${storageUrl}`,
    `You are receiving this because you are an owner or admin of ${workspaceName}.\n${serviceName}`,
  ];
  return {
    subject: `The storage of ${workspaceName} is ${percent} % full`,
    text: `${paragraphs.join('\n\n')}\n`,
  };
}

type TokenMailFacts = {
  content: TokenNotification;
  at: Date;
  recipientName: string;
  workspaceName: string;
  serviceName: string;
  developersUrl: string;
};

/** Writes the email to an owner about a new API token. */
export function tokenMail(facts: TokenMailFacts): { subject: string; text: string } {
  const { content, at, recipientName, workspaceName, serviceName, developersUrl } = facts;
  const { label, abilities, byName } = content.data;
  const words = knownAbilities(abilities).map((ability) => ABILITY_NAMES[ability]);
  const paragraphs = [
    `Hello ${recipientName},`,
    `${byName} created the API token “${label}” for ${workspaceName} on ${formatTimestamp(at)}.`,
    `What it means: a program with this token can act in ${workspaceName}. It has these abilities: ${words.join(', ')}.`,
    `What to do: nothing, if you expected this. If not, revoke the token, and ask ${byName} about it:\n${developersUrl}`,
    `You are receiving this because you are an owner of ${workspaceName}.\n${serviceName}`,
  ];
  return {
    subject: `${byName} created an API token for ${workspaceName}`,
    text: `${paragraphs.join('\n\n')}\n`,
  };
}

type WebhookMailFacts = Omit<TokenMailFacts, 'content'> & { content: WebhookNotification };

/** Writes the email to an owner or admin about a webhook endpoint that fails or was paused. */
export function webhookMail(facts: WebhookMailFacts): { subject: string; text: string } {
  const { content, at, recipientName, workspaceName, serviceName, developersUrl } = facts;
  const { url, since } = content.data;
  const isPaused = content.kind === 'webhook_paused';
  const isGone = isPaused && content.data.reason === 'gone';
  const failing = since === null ? [] : [`Failing since: ${formatTimestamp(since)}`];
  const paragraphs = [
    `Hello ${recipientName},`,
    isPaused
      ? `A webhook endpoint of ${workspaceName} was paused. ${isGone ? 'It says that it no longer exists (status 410).' : `No event has reached it for ${PAUSED_AFTER_DAYS} days.`}`
      : `No event has reached a webhook endpoint of ${workspaceName} for ${WARNED_AFTER_DAYS} days.`,
    [`Endpoint: ${url}`, ...failing, ...(isPaused ? [`Paused: ${formatTimestamp(at)}`] : [])].join('\n'),
    isPaused
      ? 'What it means: nothing more is sent to this endpoint. Others work as before.'
      : `What it means: each event is sent again for about three days. If events still fail ${PAUSED_AFTER_DAYS} days after the first failure, the endpoint is paused.`,
    `What to do: read the responses in the log of the endpoint, and repair the program that receives them.${isPaused ? ' Then enable the endpoint and send it the events it has missed with Replay.' : ' The first event that arrives ends the count.'}\n${developersUrl}`,
    `You are receiving this because you are an owner or admin of ${workspaceName}.\n${serviceName}`,
  ];
  return {
    subject: isPaused
      ? `A webhook endpoint of ${workspaceName} was paused`
      : `A webhook endpoint of ${workspaceName} is failing`,
    text: `${paragraphs.join('\n\n')}\n`,
  };
}
