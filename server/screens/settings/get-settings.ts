import { domainRecord } from '#server/administration/workspaces/domain-record.ts';
import { CLOSE_AFTER_DAYS_MAX } from '#server/administration/workspaces/update-settings.ts';
import type { Db } from '#server/core/database/db.ts';
import type { MailboxView, WorkspaceSettingsView } from '#server/screens/settings/views.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';

type Shown = Extract<WorkspaceSettingsView, { kind: 'shown' }>;

/** The settings of a workspace, with its email domains and mailboxes by name. */
export async function getSettings(db: Db, workspaceId: string): Promise<Omit<Shown, 'kind' | 'mayDelete'>> {
  const { plan, emailDomains, mailboxes, ...settings } = await db.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: {
      name: true,
      plan: true,
      assignOnReply: true,
      askForRating: true,
      closeSolvedAfterDays: true,
      slaFirstResponseMinutes: true,
      slaResolutionMinutes: true,
      emailDomains: {
        select: {
          id: true,
          domain: true,
          verificationToken: true,
          verifiedAt: true,
          _count: { select: { mailboxes: true } },
        },
        orderBy: { domain: 'asc' },
      },
      mailboxes: {
        select: {
          id: true,
          address: true,
          name: true,
          isDefault: true,
          emailDomain: { select: { verifiedAt: true } },
        },
        orderBy: { address: 'asc' },
      },
    },
    relationLoadStrategy: 'join',
  });
  const emailProblem = PLANS[plan].emailSending
    ? null
    : `Sending email needs the ${lowestPlanWith('emailSending')} plan or higher.`;
  return {
    ...settings,
    closeAfterDaysMax: CLOSE_AFTER_DAYS_MAX,
    domains: emailDomains.map(({ verificationToken, _count, ...domain }) => ({
      ...domain,
      record: domainRecord({ domain: domain.domain, verificationToken }),
      mayRemove: _count.mailboxes === 0,
    })),
    mailboxes: mailboxes.map(
      ({ emailDomain, ...mailbox }): MailboxView => ({
        ...mailbox,
        problem: emailProblem ?? (emailDomain?.verifiedAt ? null : 'Its domain is not verified yet.'),
      }),
    ),
    emailProblem,
  };
}
