import type { HookNames } from '#server/administration/notifications/find-hook-names.ts';
import { nameWorkflow } from '#server/administration/notifications/name-workflow.ts';
import { explainRemoval } from '#server/automation/hooks/explain-removal.ts';
import { CONSECUTIVE_ERRORS_MAX } from '#server/automation/hooks/remove-hooks.ts';
import { formatTimestamp } from '#server/core/mail/format-timestamp.ts';
import type { HookNotification } from '#server/teammates/notification-content.ts';

/** What the mail about a hook needs to know. `names` undefined: the hook's record is gone by now. */
export type HookMailFacts = {
  content: HookNotification;
  at: Date;
  recipientName: string;
  workspaceName: string;
  names: HookNames | undefined;
  platformName: string;
  serviceName: string;
  /** Where the workspace's integrations are shown. */
  integrationsUrl: string;
};

/** Writes the mail to an owner or admin about a failing or removed hook: what, since when, what to do. */
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
