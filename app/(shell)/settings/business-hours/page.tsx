import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { BusinessHoursSettings } from '#app/components/settings/business-hours/business-hours-settings.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Business hours' };

export default async function BusinessHoursPage() {
  const { workspace } = await requireWorkspace('/settings/business-hours');
  if (!isIn('admins', workspace.role)) notFound();
  return (
    <PageBody>
      <PageHeader title="Business hours">
        When the teams of {workspace.name} work. SLA clocks stop outside business hours.
      </PageHeader>
      <BusinessHoursSettings key={workspace.id} />
    </PageBody>
  );
}
