import { redirect } from 'next/navigation';

/** Settings open with the integrations. */
export default function SettingsPage(): never {
  redirect('/settings/integrations');
}
