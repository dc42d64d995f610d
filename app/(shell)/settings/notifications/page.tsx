import type { Metadata } from 'next';
import { BrowserNotifications } from '#app/components/settings/notifications/browser-notifications.tsx';
import { InstallApp } from '#app/components/settings/notifications/install-app.tsx';
import { PreferencesForm } from '#app/components/settings/notifications/preferences-form.tsx';
import { PushDevices } from '#app/components/settings/notifications/push-devices.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Notifications' };

export default async function NotificationsPage() {
  const { workspace } = await requireWorkspace('/settings/notifications');
  const { notifications } = await getScreens();
  const [preferences, choices, devices, publicKey] = await Promise.all([
    notifications.preferences(),
    notifications.preferenceChoices(),
    notifications.devices(),
    notifications.pushKey(),
  ]);
  return (
    <PageBody>
      <PageHeader title="Notifications">
        Choose how you are notified in {workspace.name}. These settings are yours only.
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Card className="p-5 max-md:p-4">
          <PreferencesForm
            key={workspace.id}
            preferences={preferences}
            {...choices}
            timeZones={['UTC', ...Intl.supportedValuesOf('timeZone')]}
          />
        </Card>
        <Card className="p-5 max-md:p-4">
          <PushDevices devices={devices} publicKey={publicKey} />
        </Card>
        <Card className="p-5 max-md:p-4">
          <BrowserNotifications />
        </Card>
        <InstallApp />
      </div>
    </PageBody>
  );
}
