import { redirect } from 'next/navigation';
import { requireWorkspace } from '#app/data/session.ts';

/** Redirects to the first settings page that this teammate may see. */
export default async function SettingsPage(): Promise<never> {
  const { workspace } = await requireWorkspace('/settings');
  redirect(
    workspace.role === 'owner' || workspace.role === 'admin'
      ? '/settings/integrations'
      : '/settings/teammates',
  );
}
