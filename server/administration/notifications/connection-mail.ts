import { explainEnd } from '#server/automation/connections/explain-end.ts';
import { formatTimestamp } from '#server/core/mail/format-timestamp.ts';
import type { ConnectionNotification } from '#server/teammates/notification-content.ts';

/** What the mail about a connection needs to know. */
export type ConnectionMailFacts = {
  content: ConnectionNotification;
  at: Date;
  recipientName: string;
  workspaceName: string;
  platformName: string;
  serviceName: string;
  /** Where the workspace's connections are shown. */
  integrationsUrl: string;
};

/**
 * Writes the mail to an owner saying that a teammate connected, or that a connection ended without anyone
 * disconnecting it.
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

type Words = { subject: string; happened: string; means: string; todo: string };

function started(
  { workspaceName, platformName, at }: ConnectionMailFacts,
  { data: { teammateName } }: Extract<ConnectionNotification, { kind: 'connection_started' }>,
): Words {
  return {
    subject: `${teammateName} connected ${platformName} to ${workspaceName}`,
    happened: `${teammateName} connected ${platformName} to ${workspaceName} on ${formatTimestamp(at)}.`,
    means: `${platformName} can read and change contacts and conversations of ${workspaceName} and reply to contacts on behalf of ${teammateName}.`,
    todo: `nothing, if you expected this. If not, disconnect it in Settings, Integrations, and ask ${teammateName} about it.`,
  };
}

function ended(
  { workspaceName, platformName, at }: ConnectionMailFacts,
  { data: { teammateName, reason } }: Extract<ConnectionNotification, { kind: 'connection_ended' }>,
): Words {
  const { why, whatToDo } = explainEnd(reason, { platformName, teammateName });
  return {
    subject: `A connection between ${workspaceName} and ${platformName} ended`,
    happened: `The connection that ${teammateName} made between ${workspaceName} and ${platformName} ended on ${formatTimestamp(at)}. ${why}`,
    means: `${platformName} can no longer act on behalf of ${teammateName} there, and the workflows of this connection receive no more events. Other connections work as before.`,
    todo: whatToDo ?? 'nothing.',
  };
}
